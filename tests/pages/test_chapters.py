"""Every chapter, executed, and papermill by hand."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from commandline import ROOT
from conftest import MACHINE, PRESET, script
from onthefly.measure import records
from onthefly.page import claims, results
from onthefly.page.checkout import NOTEBOOKS
from reading import stamps

CHAPTERS = claims.written()


def file_of(executed, slug):
    """Return the path of an executed chapter."""
    return executed / CHAPTERS[slug].relative_to(NOTEBOOKS)


@pytest.mark.parametrize("slug", CHAPTERS)
def test_a_chapter_runs_clean(executed, slug):
    notebook = nbformat.read(file_of(executed, slug), as_version=4)
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        assert cell.execution_count, f"cell {cell.id} did not run"
        lesson = "raises-exception" in cell.metadata.get("tags", [])
        for output in cell.outputs:
            assert lesson or output.output_type != "error", cell.id
            text = "".join(output.get("text", ""))
            noise = output.get("name") == "stderr"
            assert not noise, f"cell {cell.id}: {text}"


@pytest.mark.parametrize("slug", CHAPTERS)
def test_a_chapter_judges_its_claims(build, executed, slug, monkeypatch):
    monkeypatch.setenv("ONTHEFLY_BUILD", str(build))
    # Another machine's where that one has not recorded the page.
    machine = stamps.read(stamps.path_of(file_of(executed, slug)))["machine"]
    page = results.load(results.results_dir() / machine / f"{slug}.json")
    assert page.preset == PRESET and not page.missing
    assert page.expected or page.tables or page.quantities
    verdicts = claims.verdicts({slug: page})
    for claim in claims.load().of(slug):
        verdict = verdicts[claim.id]
        if verdict.verdict in (claims.UNMEASURED, claims.UNRESOLVED):
            assert verdict.reason
        assert "measures it nowhere" not in verdict.reason


@pytest.mark.parametrize("slug", CHAPTERS)
def test_a_chapter_writes_its_figures(build, executed, slug):
    folder = build / "figures" / slug
    notebook = file_of(executed, slug).read_text(encoding="utf-8")
    drawn = notebook.count('<svg role=\\"img\\"')  # photographs have no file
    drawn -= notebook.count("otf-diagram")  # nor have diagrams
    timed = any(one.groups for one in records.recorded(slug, MACHINE))
    assert drawn or not timed, "a page that measures shows what"
    assert len(list(folder.glob("*.svg"))) >= drawn
    for path in folder.glob("*.svg"):
        assert path.read_text(encoding="utf-8").startswith("<svg ")


def test_an_unchanged_book_runs_no_chapter(build, executed):
    stamps = {p: p.stat().st_mtime_ns for p in executed.glob("*/*.json")}
    done = script("run.py", "--data", MACHINE, "--build", build)
    assert done.returncode == 0, done.stderr
    assert {p: p.stat().st_mtime_ns for p in stamps} == stamps


BY_HAND = """\
from onthefly.page import Chapter
from onthefly.kernels.count import add
assert Chapter("first-benchmark", preset=preset).preset == "M" and add(3) == 3
"""


@pytest.mark.parametrize("folder", [".", "notebooks", "notebooks/threads"])
def test_papermill_by_hand(folder, tmp_path):
    """Plain papermill finds the lab and passes the preset from anywhere."""
    cells = [
        nbformat.v4.new_code_cell(
            'preset = "S"', metadata={"tags": ["parameters"]}
        ),
        nbformat.v4.new_code_cell(BY_HAND),
    ]
    spec = {"name": "python3", "language": "python", "display_name": "Python"}
    book = nbformat.v4.new_notebook(
        cells=cells, metadata={"kernelspec": spec}
    )
    nbformat.write(book, tmp_path / "by_hand.ipynb")
    done = subprocess.run(
        [
            Path(sys.executable).with_name("papermill"),
            tmp_path / "by_hand.ipynb",
            tmp_path / "out.ipynb",
            *("-p", "preset", "M"),
        ],
        cwd=ROOT / folder,
        env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    out = json.loads((tmp_path / "out.ipynb").read_text(encoding="utf-8"))
    assert out["metadata"]["papermill"]["parameters"] == {"preset": "M"}
