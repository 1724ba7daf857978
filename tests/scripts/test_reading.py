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
