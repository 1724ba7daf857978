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
from onthefly.measure.libraries import LIBRARIES, Library
from onthefly.page import prose
from small_books import write_chapter

LACKS = (
    "from onthefly.measure.libraries import Missing\n"
    "raise Missing('C compiler')"
)


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


@pytest.mark.slow
def test_cells_that_lack_something_are_left_out(execute):
    top, *cells, end = execute(
        "# {eval}`gain` of {eval}`here`",
        "here, gain = 1, 2",
        ("import nowhere_lib\ngain = 3", "hide-input", "needs-nowhere"),
        "print(gain)",
        ("print(here)", "needs-numpy"),
        f"print('begun')\n{LACKS}\nmade = 2",
        "print(made)",
        "# {eval}`gain`, {eval}`gain + here` and {eval}`made`",
    )
    library, tool = (
        f"Left out: {name} is missing." for name in ("Nowhere", "C compiler")
    )
    assert [*map(shown, cells)] == ["", library, library, "1\n", tool, tool]
    # The kernel knows an older value of it, which is not the page's.
    assert said(end) == {"gain": "–", "gain + here": "–", "made": "–"}
    assert said(top) == {"gain": "–", "here": "1"}


@pytest.mark.slow
def test_so_is_what_asks_for_a_candidate_that_was_left_out(execute):
    _, cell, end = execute(
        "from onthefly.page.missing import leave_out\nways = {'there': 1}\n"
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


@pytest.mark.slow
def test_another_error_fails_the_page(execute):
    with pytest.raises(PapermillExecutionError, match="ModuleNotFoundError"):
        execute(("gain = 1", "needs-nowhere"), "import no_such_module")


@pytest.mark.slow
def test_papermill_fills_the_prose_by_hand(tmp_path):
    """By the engine's name, which pip knows of this project's package."""
    source = tmp_path / "source"
    (source / "notebooks" / "onthefly").mkdir(parents=True)
    package = "notebooks/onthefly/__init__.py"
    for name in ("pyproject.toml", "LICENSE", package):
        shutil.copy(ROOT / name, source / name)
    code = (  # as PEP 517 has it
        "from setuptools import build_meta\n"
        f"build_meta.prepare_metadata_for_build_wheel({str(tmp_path)!r})"
    )
    subprocess.run(
        [sys.executable, "-c", code], cwd=source, check=True,
        capture_output=True,
    )  # fmt: skip
    says = "It gains {eval}`gain`."
    page = write_chapter(tmp_path, "a/page.ipynb", "gain = 7", says=says)
    paths = f"{tmp_path}{os.pathsep}{ROOT / 'notebooks'}"
    done = subprocess.run(
        [sys.executable, "-m", "papermill", "--engine", "onthefly", page,
         tmp_path / "out.ipynb", "--no-progress-bar"],
        env={**os.environ, "PYTHONPATH": paths},
        cwd=tmp_path, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (top, *_) = nbformat.read(tmp_path / "out.ipynb", 4).cells
    assert said(top) == {"gain": "7"}
