"""The experiments on threads, under each interpreter found here."""

import sys

import pytest

from onthefly.experiments.gil import count_standalone, other_pythons
from onthefly.tools import interpreters


@pytest.mark.parametrize(
    "python", interpreters.find(), ids=lambda p: p["version"]
)
def test_loops_are_timed(python):
    label = other_pythons.labelled(python)
    loops = other_pythons.two_loops(label, 1000, 0.1)
    ways = {"series", "threads", "processes"}
    if python["minor"] >= 12:
        ways |= {"subinterpreters"}
    assert set(loops.names) == ways
    for series in loops:
        assert len(series.values) >= 6
        assert min(series.first, *series.values) > 0


def test_counters_count_and_tell_what_they_are():
    names = other_pythons.counters()
    here = "{}.{}.{}".format(*sys.version_info)
    assert any(name.startswith(here) for name in names)
    for name in names:
        program = other_pythons.counter(name)
        loops = program.ask("try_loops", 2, 0.01)
        assert set(loops) == set(count_standalone.LOOPS)
        if not name.endswith(other_pythons.NONE):
            assert len(program.ask("unfinished", 1000, 1, True)) <= 1


def test_then_and_now_count_with_numpy():
    found = other_pythons.with_numpy()
    assert "now" in found
    for name in found.values():
        assert other_pythons.counter(name).ask("count", 1000) == 1000


@pytest.mark.parametrize(
    ("counts", "itemsize", "share"),
    [([510, 1022, 511], 8, 2 / 3), ([1020, 510], 4, 1 / 2), ([], 8, 0.5)],
)
def test_counts_at_a_pages_end_are_told(counts, itemsize, share):
    found = other_pythons.whole_pages(counts, 16, itemsize)
    assert found.value == pytest.approx(share)
