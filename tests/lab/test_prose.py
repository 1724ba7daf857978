"""The prose's expressions: which they are, and papermill's engine by hand."""

import os
import shutil
import subprocess
import sys

import nbformat
import pytest

from commandline import ROOT
from onthefly import prose
from small_books import write_chapter

SAID = [
    ("A {eval}`gain`, {eval}`gain` of {eval}`n`.", ["gain", "n"]),
    ("| {eval}`a[1]` | {eval}``x.get('`')`` |", ["a[1]", "x.get('`')"]),
    ("{eval}`book.expect(\n'all', a > 1)`", ["book.expect( 'all', a > 1)"]),
    ("{ref}`a`, `{eval}`, ``{eval}`a` ``, \\{eval}`a`", []),
]


@pytest.mark.parametrize(("text", "expected"), SAID)
def test_the_expressions_of_a_text(text, expected):
    assert prose.expressions(text) == expected


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


@pytest.mark.slow
def test_papermill_says_by_hand_what_has_no_value(tmp_path, installed):
    done = by_hand(tmp_path, installed, says="It gains {eval}`gian`.")
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert "{eval}`gian`: NameError" in last
    assert nbformat.read(tmp_path / "out.ipynb", 4).cells[1].outputs == []
