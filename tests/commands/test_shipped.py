"""What a wheel ships answers as the record of the book does."""

import importlib.util

import pytest

from commandline import ROOT
from conftest import call
from onthefly.commands import main
from onthefly.measure import records

RECORDED = sorted(ROOT.glob("book/data/*/eight-problems.json"))


def setup():
    """Return the module setup.py; imported, it builds nothing."""
    spec = importlib.util.spec_from_file_location("s", ROOT / "setup.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.parent.name)
def test_a_shipped_copy_answers_the_same(path, archive, monkeypatch):
    copy = records.RECORDED / path.parent.name / path.name
    copy.parent.mkdir(parents=True)
    copy.write_text(setup().shipped(path), "utf-8")
    assert copy.stat().st_size < path.stat().st_size / 2

    def told(problem):
        asked = ("--problem", problem, "--size", "1e4", "--calls", "100",
                 "--machine", path.parent.name, "--json")  # fmt: skip
        done = call(main, "choose", *asked)
        assert done.returncode == 0, done.stderr
        return done.stdout

    shipped = told("dot")
    monkeypatch.setattr(records, "RECORDED", ROOT / "book" / "data")
    assert shipped == told("dot")
