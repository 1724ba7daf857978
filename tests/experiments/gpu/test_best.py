"""The best of each library, checked before it is timed."""

import math

import pytest

from onthefly.experiments.gpu import best
from onthefly.kernels import sigmas


def test_candidates_are_checked_before_they_are_timed():
    with pytest.raises(ValueError, match="wrong: π = 3"):
        best.timed({"wrong": (lambda n: 3.0, 10**6)}, 0.1)
    times = best.timed({"right": (lambda n: math.pi, 10**6)}, 0.1)
    assert times.seconds("right").value > 0


@pytest.mark.parametrize("card", [2, 6, 12, 24, 141])
def test_the_devices_shots_fit_into_its_memory(card):
    free = 0.9 * card * 2**30
    shots = best.fitting(free)
    eager = 5 * 8 * shots  # x, y, their squares and the sum, at once
    assert 0 < 3 * eager < free  # as two more libraries hold as much
    assert (shots == 10**8) == (card > 22)


def test_the_processors_candidates_estimate_pi():
    for way, shots in best.on_processor(2).values():
        few = min(shots, 2**22)
        assert sigmas(way(few), few) < 5
