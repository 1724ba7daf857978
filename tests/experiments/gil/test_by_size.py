"""Gains of a second thread, at several sizes."""

import math

from onthefly.experiments.gil import by_size


def test_each_way_is_measured_at_each_size():
    ways = {"sum": lambda size: sum(range(size)), "none": lambda size: None}
    reports = by_size.profile(ways, [10, 1000], 0.1)
    found = by_size.gains(reports, ways, [10, 1000])
    assert list(found) == ["sum", "none"]
    for curve in found.values():
        assert list(curve) == [10, 1000]
        assert all(q.unit == "×" and q.value > 0 for q in curve.values())


def test_the_systems_share_is_a_share():
    found = by_size.kernel_share(math.factorial, 2000)
    assert found.unit == "%" and 0 <= found.value <= 1
