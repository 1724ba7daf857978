"""The counter as a graph, alone and split over tasks."""

import pytest

from onthefly.kernels.count import counter_split as parts
from onthefly.kernels.count import counter_tensorflow as program


@pytest.mark.parametrize("resource", [False, True])
def test_the_counter_counts(resource):
    assert program.count(program.counter(resource), 5) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("way", parts.STEPS)
@pytest.mark.parametrize("count", [0, 1, 10])
def test_each_way_adds_so_many_steps(way, count):
    assert int(parts.STEPS[way](count)) == count


def test_a_loop_does_what_it_is_given():
    made = parts.loop(work=lambda total: 2 * total + 1)
    with parts.v1.Session(graph=made.graph) as session:
        for steps, total in ((0, 0), (1, 1), (5, 31)):
            assert session.run(made.total, {made.steps: steps}) == total
