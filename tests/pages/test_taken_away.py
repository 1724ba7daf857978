"""Pages that are taken away: plain notebooks, which run without the book."""

import json
import os
import re
import subprocess
import sys

import pytest

from onthefly.provenance import NOTEBOOKS
from rendering import plain

MYST = re.compile(
    r"\{(eval|ref|term|cite|doc|glue)[\w:]*\}`|^:::|^```\{|^\([\w-]+\)=$",
    re.M,
)
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def taken(build, executed, tmp_path_factory):
    """{stem: path} of all pages as they are handed out."""
    stems = sorted(path.stem for path in executed.glob("*.ipynb"))
    folder = tmp_path_factory.mktemp("taken")
    paths = plain.write(stems, build, NOTEBOOKS.parent, folder)
    return dict(zip(stems, paths, strict=True))


def markdown(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(c["source"]) for c in cells if c["cell_type"] != "code"]


def test_nothing_is_left_that_only_the_book_can_read(taken):
    left = {
        (stem, match[0])
        for stem, path in taken.items()
        for text in markdown(path)
        for match in MYST.finditer(text)
    }
    assert left == set()


def test_the_numbers_of_the_run_stand_in_the_prose(taken, executed):
    notebook = json.loads((executed / "56_indexing.ipynb").read_text())
    values = [
        result["result"]["data"]["text/plain"]
        for cell in notebook["cells"]
        for result in cell["metadata"].get("user_expressions", [])
        if "text/html" not in result["result"].get("data", {})
    ]
    text = "\n".join(markdown(taken["56_indexing"]))
    assert values and all(value.strip("'\"") in text for value in values)


def test_plain_papermill_runs_one_again(taken, tmp_path):
    path = taken["56_indexing"]
    done = subprocess.run(
        [
            sys.executable, "-m", "papermill", str(path),
            str(tmp_path / "again.ipynb"), "-p", "data", "fresh",
        ],
        env={
            **os.environ,
            "PYTHONPATH": str(NOTEBOOKS),
            "ONTHEFLY_BUILD": str(tmp_path),
        },
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
