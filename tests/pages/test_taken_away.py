"""Pages that are taken away: plain notebooks, which run without the book."""

import html
import json
import os
import re
import subprocess
import sys

import pytest
from nbconvert import HTMLExporter

from onthefly.page.checkout import NOTEBOOKS, name_of
from rendering import plain

MYST = re.compile(
    r"\{(eval|ref|term|cite|doc|glue|numref)[\w:]*\}`|^:::|^```\{"
    r"|^\([\w-]+\)=$|^:[\w-]+:|<IPython",
    re.M,
)
# In a page as nbconvert renders it: code, which may hold anything, and what
# stands in no sentence.
SHOWN_AS_CODE = re.compile(
    r"<(pre|code|table|svg|script|style|mjx-container)\b.*?</\1>"
    r"|\$\$?[^$]+\$\$?|\\begin.*?\\end\{\w+\}",
    re.S,
)
TAG = re.compile(r"<[^>]*>")
LEFT = re.compile(
    r"\*\*+|(?<![\w*])\*\w[^*\n]*$|\{[a-z]+\}`|:::|^:[a-z-]+: |``", re.M
)
LINK = re.compile(r"\]\(([\w./]+\.ipynb)\)")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def taken(build, executed, tmp_path_factory):
    """{part/topic: path} of all pages as they are handed out."""
    names = sorted(map(name_of, executed.glob("*/*.ipynb")))
    folder = tmp_path_factory.mktemp("taken")
    paths = plain.write(names, build, NOTEBOOKS.parent, folder)
    return dict(zip(names, paths, strict=True))


def markdown(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(c["source"]) for c in cells if c["cell_type"] != "code"]


def test_nothing_is_left_that_only_the_book_can_read(taken):
    left = {
        (name, match[0])
        for name, path in taken.items()
        for text in markdown(path)
        for match in MYST.finditer(text)
    }
    assert left == set()


def test_nbconvert_renders_it_without_a_mark_left_over(taken):
    """No emphasis that is not closed, no role, directive or option line."""
    # Code may hold anything, and colouring it takes most of the time.
    exporter = HTMLExporter(template_name="basic", exclude_input=True)
    left = set()
    for name, path in taken.items():
        page, _ = exporter.from_filename(path)
        text = SHOWN_AS_CODE.sub(" ", page)
        text = html.unescape(TAG.sub("", text))
        left |= {(name, match[0]) for match in LEFT.finditer(text)}
    assert left == set()


def test_a_link_leads_to_another_of_them(taken):
    for path in taken.values():
        for link in LINK.findall("\n".join(markdown(path))):
            assert (path.parent / link).exists(), (path, link)


def test_the_numbers_of_the_run_stand_in_the_prose(taken, executed):
    notebook = json.loads((executed / "compiling/indexing.ipynb").read_text())
    values = [
        result["result"]["data"]["text/plain"]
        for cell in notebook["cells"]
        for result in cell["metadata"].get("user_expressions", [])
        if "text/html" not in result["result"].get("data", {})
    ]
    text = "\n".join(markdown(taken["compiling/indexing"]))
    assert values and all(value.strip("'\"") in text for value in values)


def test_plain_papermill_runs_one_again(taken, tmp_path):
    path = taken["compiling/indexing"]
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
