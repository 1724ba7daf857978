"""The experiments on threads, under each interpreter found here."""

import pytest

from onthefly.experiments.gil import count_standalone, other_pythons
from onthefly.tools import interpreters

each = pytest.mark.parametrize(
    "python", interpreters.find(), ids=lambda p: p["version"]
)


@each
def test_loops_are_timed(python):
    loops = other_pythons.two_loops(python["path"], 1000, 0.1)
    ways = {"series", "threads", "processes"}
    if python["minor"] >= 12:
        ways |= {"subinterpreters"}
    assert set(loops.names) == ways
    for series in loops:
        assert len(series.values) >= 6
        assert min(series.first, *series.values) > 0


@each
def test_counts_are_made(python):
    found = other_pythons.counts(python["path"], 0.05, 1, threads=2)
    assert found["version"] == python["version"]
    assert found["gil"] == python["gil"]
    assert set(found["loops"]) == set(count_standalone.LOOPS)
    assert bool(found["counts"]) == bool(found["numpy"])
    assert len(found["fresh"]) <= 1 and len(found["reused"]) <= 1


@each
def test_a_python_loop_holds_the_gil(python):
    found = other_pythons.released(python["path"])
    if python["gil"]:
        assert found["Python loop"] == 0
