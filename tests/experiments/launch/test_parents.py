"""Parents that hold memory, and how much of it there is."""

import mmap

import pytest

from onthefly.experiments.launch import holdings, parents

MIB = 8
PAGES = MIB * holdings.MIB // mmap.PAGESIZE


@pytest.fixture(scope="module")
def counts():
    """Return what a parent counts, by what it holds."""
    ways = {
        "nothing": (None,),
        "every": (holdings.every_page, MIB),
        "8th": (holdings.every_8th_page, MIB),
        "huge": (holdings.huge_pages, MIB),
        "shared": (holdings.shared, MIB),
        "pieces": (holdings.pieces, 100),
    }
    counts = {}
    for name, work in ways.items():
        with parents.parent(*work) as program:
            counts[name] = program.ask("counts")
    return counts


def more(counts, name, what):
    """Return how many more a parent has than one that holds nothing."""
    return counts[name][what] - counts["nothing"][what]


def test_entries_are_pages_in_use_of_the_parents_own(counts):
    assert PAGES <= more(counts, "every", "entries") < 1.3 * PAGES
    assert PAGES / 8 <= more(counts, "8th", "entries") < PAGES / 8 + 700
    assert more(counts, "shared", "entries") < 700
    assert more(counts, "huge", "entries") <= more(counts, "every", "entries")


def test_pieces_are_mappings_of_their_own(counts):
    assert 200 <= more(counts, "pieces", "mappings") < 230
    assert more(counts, "every", "mappings") < 30


@pytest.mark.parametrize("distance", [1, 3])
def test_a_twin_has_as_many(distance):
    wanted = 6000, 400
    with parents.parent(holdings.as_much, *wanted, distance) as twin:
        counts = twin.ask("counts")
    assert 6000 <= counts["entries"] < 7000
    assert 390 <= counts["mappings"] < 460


def test_writing_after_a_fork_faults_once_a_page():
    faults = parents.written_again(MIB)().counts["page faults"]
    assert PAGES <= faults < 1.3 * PAGES


def test_functions_of_a_notebook_are_sent():
    names = {"size": 5}
    code = "def mine():\n    return list(range(size))"
    exec(code, names | {"__name__": "__main__"}, names)
    names["mine"].__module__ = "__main__"
    with parents.parent(names["mine"]) as program:
        assert program.ask("counts")["entries"] > 0
