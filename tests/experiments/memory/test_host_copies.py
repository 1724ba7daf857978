"""Copies in processes whose C library has settings."""

import pytest

from onthefly.clock import sample
from onthefly.experiments.memory import host_copies
from onthefly.experiments.memory import host_copies_child as child


@pytest.mark.parametrize("distance", [0, 16, 4095, -64])
def test_arrays_lie_so_far_from_each_other(distance):
    source, target = child.arrays(5000, distance)
    assert (target.ctypes.data - source.ctypes.data - distance) % 4096 == 0
    assert source.size == target.size == 5000


@pytest.mark.parametrize("threshold", [None, 10**9])
def test_copies_are_timed_by_their_distance_and_size(threshold):
    with host_copies.Copier(threshold) as copier:
        samplers = {"copy": copier.by_distance(5000)}
        times = sample(samplers, sizes=[-64, 16], rounds=6, first="unknown")
        assert times.sizes("copy") == [-64, 16]
        assert min(times.series("copy", 16).values) > 0
        assert copier.by_size(16)(5000) > 0
