"""Loops and whole arrays under the software of then, where it is here."""

import pytest

from cases import skip_if
from onthefly.experiments.numba import loops_then, loops_then_child

pytestmark = skip_if("" if loops_then.here() else "no software of then")


def test_a_way_is_timed_under_both():
    ways = {way: [10] for way in loops_then_child.WAYS}
    times = loops_then.times(ways, budget=0.2)
    assert {s.name for s in times} == {
        f"{way}, {when}" for way in ways for when in ("then", "now")
    }
    assert all(value > 0 for s in times for value in s.values)


@pytest.mark.parametrize("way", ["compiled, list", "compiled, array"])
def test_a_compiled_loop_adds_one_to_each(way):
    assert loops_then_child.added(way) == [1.0, 1.0, 1.0]
