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


def test_the_processors_candidates_estimate_pi():
    for way, shots in best.on_processor(2).values():
        few = min(shots, 2**22)
        assert sigmas(way(few), few) < 5
