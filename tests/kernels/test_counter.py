"""The counter as a graph, alone and split over tasks."""

import pytest

from cases import bad_shots
from onthefly.kernels import counter_split as parts
from onthefly.kernels import counter_tensorflow as program


@pytest.mark.parametrize("resource", [False, True])
def test_the_counter_counts(resource):
    assert program.count(program.counter(resource), 5) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("way", parts.STEPS)
@pytest.mark.parametrize("count", [0, 1, 10])
def test_each_way_adds_so_many_steps(way, count):
    assert int(parts.STEPS[way](count)) == count


@bad_shots
def test_pi_refuses_bad_shots(shots, error):
    with pytest.raises(error, match="shots"):
        parts.pi_tensorflow_split(shots, 7, None, parts.halves())
