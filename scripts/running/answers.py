"""What a worker of a cluster returns for a page, and whether it is one."""

import contextlib
import math
import pathlib
import tempfile

import nbformat

from onthefly import files, results
from onthefly.errors import UserError
from reading import notebooks

SCHEMA = pathlib.Path(__file__).with_suffix(".schema.json")


def check(answer, chapter):
    """Hold what a worker returned for a chapter against what it must be.

    Raises UserError where that is no notebook that has run, or no results of
    this chapter on the machine that is named.
    """
    if fault := files.breach(answer, SCHEMA):
        raise UserError(f"what it returned is no page: {fault}")
    if not math.isfinite(answer["seconds"]):
        raise UserError("what it returned is no page: seconds: not a number")
    with tempfile.TemporaryDirectory() as folder:
        if text := answer["results"]:
            path = pathlib.Path(folder, "results.json")
            files.write(path, text)
            with _named("its results", path):
                measured = results.load(path)
            if measured.chapter != chapter.slug:
                raise UserError(f"its results are of {measured.chapter!r}")
            if measured.machine["slug"] != answer["machine"]:
                raise UserError("its results are of another machine")
        if answer["failure"] and not answer["notebook"]:
            return  # it failed before its first cell
        path = pathlib.Path(folder, "page.ipynb")
        files.write(path, answer["notebook"])
        with _named("its notebook", path):
            notebook = notebooks.read(path)
        try:
            nbformat.validate(notebook)
        except nbformat.ValidationError as error:
            what = " ".join(str(error).split())[:200]
            raise UserError(f"its notebook is none: {what}") from None


@contextlib.contextmanager
def _named(name, path):
    """Name a file that was sent in what refuses it, and drop the repair."""
    try:
        yield
    except UserError as error:
        fault = getattr(error, "fault", str(error).rpartition("; ")[0])
        raise UserError(fault.replace(str(path), name)) from None
