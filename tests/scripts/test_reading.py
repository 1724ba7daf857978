"""The readers: what they return, and one line for what they cannot read."""

import pytest

from onthefly.errors import UserError
from reading import notebooks, toc

PARAMETERS = 'preset = "S"\ndevice: str = "auto"  # or "cpu"\nseed = 2018'


def cell(source, *tags):
    about = {"tags": list(tags)}
    return {"cell_type": "code", "source": source, "metadata": about}


def notebook(*cells):
    return {"nbformat": 4, "nbformat_minor": 5, "cells": [*cells]}


def test_the_table_of_contents_alone_orders_the_pages(tmp_path):
    paths = [tmp_path / f"notebooks/{n}.ipynb" for n in ("a/a", "b/a", "b/b")]
    assert toc.ordered(reversed(paths), tmp_path) == paths
    listed = "chapters:\n- file: notebooks/b/b\n- file: notebooks/a/a\n"
    (tmp_path / "_toc.yml").write_text(f"root: book/index\n{listed}")
    first, second, last = paths
    assert toc.ordered(paths, tmp_path) == [last, first, second]


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
        ([cell("preset = ", "parameters")], "constant"),
        ([cell('preset = "S"', "parameters")], "device"),
    ],
    ids=range(5),
)
def test_parameters_that_are_not_plain_are_refused(cells, word):
    with pytest.raises(UserError, match=word) as caught:
        notebooks.parameters(notebook(*cells), "it")
    assert str(caught.value).startswith("it: ")
