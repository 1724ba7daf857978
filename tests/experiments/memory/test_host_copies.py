"""Where the arrays of a copy lie."""

import pytest

from onthefly.experiments.memory import host_copies_child as child


@pytest.mark.parametrize("distance", [0, 16, 4095, -64])
def test_arrays_lie_so_far_from_each_other(distance):
    source, target = child.arrays(5000, distance)
    assert (target.ctypes.data - source.ctypes.data - distance) % 4096 == 0
    assert source.size == target.size == 5000
