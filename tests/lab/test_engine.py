"""papermill's engine: the prose it fills, and the cells it leaves out."""

import os
import shutil
import subprocess
import sys

import nbformat
import papermill
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from papermill.exceptions import PapermillExecutionError

from commandline import ROOT
from onthefly import prose
from onthefly.libraries import LIBRARIES, Library
from small_books import write_chapter

LACKS = "from onthefly.libraries import Missing\nraise Missing('C compiler')"


@pytest.fixture
def execute(tmp_path, monkeypatch):
    """A function that runs cells by papermill, where a library is missing.

    A cell is code, (code, tags), or prose where it begins with a "#".
    """
    nowhere = Library("Nowhere", "nowhere_lib", ("nowhere",))
    monkeypatch.setitem(LIBRARIES, "nowhere", nowhere)
    monkeypatch.chdir(tmp_path)

    def run(*cells):
        notebook = new_notebook(cells=list(map(cell, cells)))
        nbformat.write(notebook, "in.ipynb")
        return papermill.execute_notebook(
            "in.ipynb", "out.ipynb", engine_name="onthefly",
            kernel_name="python3", progress_bar=False,
        ).cells  # fmt: skip

    return run


def cell(text):
    if isinstance(text, tuple):
        return new_code_cell(text[0], metadata={"tags": list(text[1:])})
    return (new_markdown_cell if text[0] == "#" else new_code_cell)(text)


def shown(cell):
    """Return the text that a cell of code shows."""
    return "".join(
        output.get("text") or output["data"]["text/plain"]
        for output in cell.outputs
    )


def said(cell):
    """Return {expression: what it says} of a cell of prose."""
    return {
        expression: result["data"]["text/plain"]
        for expression, result in prose.stored(cell).items()
    }


def test_cells_that_lack_a_library_are_left_out(execute):
    top, *cells, end = execute(
        "# {eval}`gain` of {eval}`here`, {eval}`kept['Nowhere']`",
        "here, gain = 1, 2\nkept = {}",
        ("import nowhere_lib\ngain = 3", "hide-input", "needs-nowhere"),
        "print(gain)",
        "print(here)",
        ("print(here)", "needs-numpy"),
        "# {eval}`gain`, {eval}`gain + here` and {eval}`here`",
    )
    assert list(map(shown, cells)) == [
        "",
        *["Left out: Nowhere is missing."] * 2,
        *["1\n"] * 2,
    ]
    assert cells[1].source.startswith("import nowhere_lib")
    # The kernel knows an older value of it, which is not the page's.
    assert said(end) == {"gain": "–", "gain + here": "–", "here": "1"}
    assert said(top)["here"] == "1" and said(top)["kept['Nowhere']"] == "–"


def test_so_is_a_cell_that_fails_for_want_of_something(execute):
    *cells, end = execute(
        "kept = 1",
        f"print('begun')\n{LACKS}\nmade = 2",
        "print(made)",
        "print(kept)",
        "import onthefly.missing\nprint(onthefly.missing.left_out)",
        "# {eval}`made` and {eval}`kept`",
    )
    line = "Left out: C compiler is missing."
    names = "['C compiler', 'C compiler']\n"
    assert list(map(shown, cells)) == ["", line, line, "1\n", names]
    assert said(end) == {"made": "–", "kept": "1"}


def test_so_is_what_asks_for_a_candidate_that_was_left_out(execute):
    _, cell, end = execute(
        "from onthefly.missing import leave_out\nways = {'there': 1}\n"
        "leave_out({'lazy': 'Nowhere'})",
        "lazy = ways['lazy']",
        "# {eval}`ways['lazy']`, {eval}`lazy`, {eval}`ways['there']`",
    )
    assert shown(cell) == "Left out: Nowhere is missing."
    assert said(end) == {
        "ways['lazy']": "–",
        "lazy": "–",
        "ways['there']": "1",
    }


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("import no_such_module", "ModuleNotFoundError"),
        ("raise ValueError('C is missing')", "ValueError"),
    ],
)
def test_another_error_fails_the_page(execute, source, error):
    with pytest.raises(PapermillExecutionError, match=error):
        execute(("gain = 1", "needs-nowhere"), source)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder that holds what pip would tell of this project's package."""
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"
    (source / "notebooks" / "onthefly").mkdir(parents=True)
    package = "notebooks/onthefly/__init__.py"
    for name in ("pyproject.toml", "LICENSE", package):
        shutil.copy(ROOT / name, source / name)
    make = "prepare_metadata_for_build_wheel"  # as PEP 517 has it
    code = (
        f"from setuptools import build_meta as b; b.{make}({str(folder)!r})"
    )
    subprocess.run(
        [sys.executable, "-c", code], cwd=source, check=True,
        capture_output=True,
    )  # fmt: skip
    return folder


def by_hand(folder, installed, **options):
    """Run papermill on a page, by its engine's name; return how it ended."""
    page = write_chapter(folder, "10_page.ipynb", "gain = 7", **options)
    lab = ROOT / "notebooks"
    return subprocess.run(
        [sys.executable, "-m", "papermill", "--engine", "onthefly", page,
         folder / "out.ipynb", "--no-progress-bar"],
        env={**os.environ, "PYTHONPATH": f"{installed}{os.pathsep}{lab}"},
        cwd=folder, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


@pytest.mark.slow
def test_papermill_fills_the_prose_by_hand(tmp_path, installed):
    done = by_hand(tmp_path, installed, says="It gains {eval}`gain`.")
    assert done.returncode == 0, done.stderr
    page = nbformat.read(tmp_path / "out.ipynb", 4)
    said = prose.stored(page.cells[0])
    assert said["gain"]["data"]["text/plain"] == "7"
