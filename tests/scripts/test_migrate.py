"""Recorded measurements whose code was only renamed, and others."""

import shutil

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from onthefly import folders
from onthefly.errors import UserError
from onthefly.measure import data, machine
from onthefly.measure.samples import Samples, Series
from onthefly.page import dependencies
from recording import migration

OLD = """
from onthefly.experiments.gil import races
from onthefly.kernels.count import series
sizes = [10, 100]
ways = {"one": series}
times = book.measure("ways", ways, sizes=sizes)
gain = times.ratio("one", "one", 10)
races.wrong([1])
lost = book.look("lost", lambda: races.losses(series, 10, 2))
"""
NEW = """
from onthefly.kernels.count import add, series
from onthefly.experiments.gil import races

ways = {"one": series}
sizes = [
    10, 100,
]  # in another order, laid out anew; what only concludes is gone
times = book.measure("ways", ways, sizes=sizes)
lost = book.cached("lost", lambda: races.losses(series, 10, 2))
"""
RENAMED = [("book.look(", "book.cached(")]


@pytest.fixture
def migrated(tmp_path):
    """A function that migrates a page's record; returns what stays stale."""

    def migrate(new, edit=None):
        tree = tmp_path / "old"
        shutil.copytree(folders.PACKAGE, tree / "notebooks/onthefly")
        if edit:
            path, old, text = edit
            path = tree / "notebooks/onthefly" / path
            path.write_text(path.read_text().replace(old, text))
        paths = []
        for folder, source in ((tree / "notebooks", OLD), (tmp_path, new)):
            path = folder / "part" / "topic.ipynb"
            path.parent.mkdir(parents=True)
            nbformat.write(new_notebook(cells=[new_code_cell(source)]), path)
            paths.append(path)
        migration.replace(tree, RENAMED)
        package = dependencies.Package(tree / "notebooks/onthefly")
        was = migration.asked(paths[0], package)
        today = migration.asked(paths[1], dependencies.package())
        codes = [({"cells": str(k)}, one) for k, (*_, one) in enumerate(was)]
        file = tmp_path / "box" / "topic.json"
        own = data.Data("topic", "S", machine=machine.record())
        series = Series("one", None, None, (1.0,) * 6)
        first, second = (code for code, _ in codes)
        own.add("ways", first, Samples([series], 2))
        own.look("lost", second, 3)
        data.save(own, file)
        list(migration._migrated(file, codes, [one for *_, one in today]))
        now = [one.code for *_, one in today]
        after = data.load(file)
        return [
            name
            for name, group in (after.groups | after.looks).items()
            if dependencies.code_of(group.key) not in now
        ]

    return migrate


def test_what_is_the_same_code_gets_todays_key(migrated):
    assert migrated(NEW) == []


@pytest.mark.parametrize(
    ("old", "new", "stale"),
    [
        ("10, 100", "10, 1000", ["ways"]),
        ("series, 10, 2", "series, 10, 3", ["lost"]),
        ('"one": series', '"one": add', ["ways"]),
        ('"lost"', '"found"', ["lost"]),
        ("import add, series", "import add as series", ["ways", "lost"]),
    ],
)
def test_what_has_really_changed_stays_stale(migrated, old, new, stale):
    assert old in NEW
    assert migrated(NEW.replace(old, new)) == stale


def test_so_does_what_rests_on_a_changed_file(migrated):
    edit = ("experiments/gil/races.py", "def losses(", "def losses_now(")
    assert migrated(NEW, edit) == ["lost"]


def test_a_statement_that_changes_a_candidate_counts(migrated):
    more = NEW.replace("sizes = [", "ways.update(two=add)\nsizes = [")
    assert migrated(more) == ["ways"]


def test_a_page_that_went_into_another_brings_what_that_asks_for(tmp_path):
    def record(slug, **groups):
        own = data.Data(slug, "S", machine=machine.record())
        for name, code in groups.items():
            series = Series("one", None, None, (1.0,) * 6)
            own.add(name, {"cells": code}, Samples([series], 2))
        path = tmp_path / "box" / f"{slug}.json"
        data.save(own, path)
        return path

    old = record("old", asked="1", dropped="2")
    new = record("new", own="3")
    asked = [
        migration.Asked((), (), frozenset(), {"cells": code}, frozenset())
        for code in "13"
    ]
    migration._merge(old, new, asked)
    assert set(data.load(new).groups) == {"own", "asked"}
    assert not old.exists()
    with pytest.raises(UserError, match="has one of this name"):
        migration._merge(record("old", own="1"), new, asked)
    assert old.exists()
    migration._merge(record("old", own="3"), new, asked)
    assert set(data.load(new).groups) == {"own", "asked"}
