"""The readers: what they return, and one line for what they cannot read."""

import json

import pytest

from onthefly.errors import UserError
from reading import notebooks, toc

PARAMETERS = 'preset = "S"\ndevice: str = "auto"  # or "cpu"\nseed = 2018'


def cell(source, *tags, kind="code"):
    return {
        "cell_type": kind,
        "source": source,
        "metadata": {"tags": list(tags)} if tags else {},
    }


def notebook(*cells, **more):
    return {"nbformat": 4, "nbformat_minor": 5, "cells": [*cells], **more}


def refusal(call, *arguments):
    """Return the one line with which a call refuses."""
    with pytest.raises(UserError) as caught:
        call(*arguments)
    line = str(caught.value)
    assert "\n" not in line and "; " in line
    return line


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a notebook file and returns its path."""
    path = tmp_path / "30_races.ipynb"

    def write(content):
        if not isinstance(content, bytes):
            content = json.dumps(content).encode()
        path.write_bytes(content)
        return path

    return write


def test_a_source_is_one_text(write):
    path = write(notebook(cell(["a = 1\n", "b = 2"]), cell("c")))
    found = notebooks.read(path)["cells"]
    assert [c["source"] for c in found] == ["a = 1\nb = 2", "c"]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b'{"cells": [\n  {"id": 1,,}]}', "line 2, column 12"),
        (b"\xff\xfe", "byte 0"),
        (b"[" * 100_000, "30_races.ipynb"),
        ([], "30_races.ipynb"),
        ({"nbformat": 3, "worksheets": []}, "format 4"),
        ({"nbformat": 4, "nbformat_minor": 5}, "cells"),
        (notebook(1), "cell 1"),
        (notebook(cell("x"), cell(["x", 1])), "cell 2"),
        (notebook(cell("x") | {"metadata": None}), "cell 1"),
        (notebook(cell("x") | {"metadata": {"tags": None}}), "cell 1"),
        (notebook(cell("x") | {"outputs": True}), "cell 1"),
    ],
    ids=range(11),
)
def test_what_is_no_notebook_is_refused(write, content, place):
    path = write(content)
    line = refusal(notebooks.read, path)
    assert line.startswith(f"{path}: ") and place in line
    assert refusal(notebooks.read, path, "it").startswith("it: ")


def test_a_notebook_that_is_not_there_is_refused(tmp_path):
    assert "none.ipynb" in refusal(notebooks.read, tmp_path / "none.ipynb")


def test_parameters_are_read_from_the_tagged_cell():
    book = notebook(cell("x = 1"), cell(PARAMETERS, "parameters"))
    assert notebooks.parameters(book, "it") == {
        "preset": "S",
        "device": "auto",
        "seed": 2018,
    }


@pytest.mark.parametrize(
    ("cells", "word"),
    [
        ([], "0 cells"),
        ([cell(PARAMETERS, "parameters")] * 2, "2 cells"),
        ([cell(f"{PARAMETERS}\nn = int(2)", "parameters")], "constant"),
        ([cell(f"{PARAMETERS}\nimport os", "parameters")], "constant"),
        ([cell(f"{PARAMETERS}\nn = {{[]: 1}}", "parameters")], "constant"),
        ([cell("preset = ", "parameters")], "constant"),
        ([cell('preset = "S"', "parameters")], "device"),
    ],
    ids=range(7),
)
def test_parameters_that_are_not_plain_are_refused(cells, word):
    line = refusal(notebooks.parameters, notebook(*cells), "it")
    assert line.startswith("it: ") and word in line


TOC = """\
root: book/index
parts:
  - chapters:
      - file: notebooks/20_second.ipynb
        sections:
          - file: notebooks/30_third
  - chapters:
      - file: book/status
      - url: https://example.org
"""


def test_the_toc_is_read_in_its_order(tmp_path):
    (tmp_path / toc.NAME).write_text(TOC)
    assert toc.chapters(tmp_path) == ["20_second", "30_third"]
    assert toc.documents(tmp_path)[0] == "book/index"
    assert toc.documents(tmp_path)[-1] == "book/status"


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (None, toc.NAME),
        (b"", "root"),
        (b"- file: book/index\n", "root"),
        (b"root: [\n", "line 2"),
        (b"\xff", "byte 0"),
        (b"root: a\nchapters:\n- glob: notebooks/*\n", "notebooks/*"),
        (b"root: a\nchapters:\n- file: [b]\n", "['b']"),
        (b"root: a\x01\n", "YAML"),
    ],
    ids=range(8),
)
def test_a_toc_that_names_no_pages_is_refused(tmp_path, content, word):
    if content is not None:
        (tmp_path / toc.NAME).write_bytes(content)
    line = refusal(toc.documents, tmp_path)
    assert str(tmp_path / toc.NAME) in line and word in line
