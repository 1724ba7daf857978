"""Gains of a second thread, at several sizes."""

import math

from onthefly.experiments.gil import by_size
from onthefly.timings import Timings


def test_each_way_is_measured_at_each_size():
    ways = {"sum": lambda size: sum(range(size)), "none": lambda size: None}
    times = Timings.of(by_size.measure(ways, [10, 1000], 0.1))
    curves = by_size.gains(times, 2, ways, [10, 1000])
    assert list(curves) == ["sum", "none"]
    for curve in curves.values():
        assert list(curve) == [10, 1000]
        assert all(q.unit == "×" and q.value > 0 for q in curve.values())


def test_the_systems_share_is_a_share():
    assert 0 <= by_size.kernel_share(math.factorial, 2000) <= 1
