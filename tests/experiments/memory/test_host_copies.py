"""Copies in processes whose C library has settings."""

import platform

import pytest

from onthefly.experiments.memory import faults, host_copies
from onthefly.experiments.memory import host_copies_child as child


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="settings of glibc"
)
def test_a_threshold_decides_where_the_faults_begin():
    size = 2**22
    keep = {"mmap_threshold": 2**30, "trim_threshold": 2**30}
    settings = {"kept": keep, "mapped": {"mmap_threshold": 2**20}}
    times, new = host_copies.sweep(
        {name: faults.settings(s) for name, s in settings.items()},
        [size],
        budget=1e-3,
    )
    assert new["mapped", "fresh", size] > 100 > new["kept", "fresh", size]
    assert new["kept", "fresh", size] < 10 > new["mapped", "used", size]
    assert times.names == [
        f"{name}, {way}" for name in settings for way in ("fresh", "used")
    ]
    assert len(times.series("kept, fresh", size).values) == 6
    assert times.first("kept, fresh", size) is None


@pytest.mark.parametrize("distance", [0, 16, 4095, -64])
def test_arrays_lie_where_they_are_told(distance):
    source, target = child.arrays(5000, distance)
    assert (target.ctypes.data - source.ctypes.data - distance) % 4096 == 0
    assert source.size == target.size == 5000


def test_copies_are_timed_by_their_distance():
    times = host_copies.shifted({"as it is": {}}, 5000, [-64, 16], rounds=6)
    assert times.sizes("as it is") == [-64, 16]
    assert min(times.series("as it is", 16).values) > 0


def test_neighbours_are_told_by_their_size():
    found = host_copies.neighbours([4096, 2**16])
    assert list(found) == [4096, 2**16]
    assert all(0 <= distance < 4096 for distance in found.values())
