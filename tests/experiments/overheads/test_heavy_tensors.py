"""The overhead of heavy functions."""

import pytest

from onthefly.experiments.overheads import heavy_tensors
from onthefly.quantity import EXAMPLE
from onthefly.samples import Series
from onthefly.timings import Timings


def test_overhead_is_all_but_the_work():
    """The work of a size is what it takes beyond the smallest."""
    seconds = {
        "TF matmul": {8: 3.0, 32: 10.0},
        "TF matmul, resident": {8: 1.0, 32: 6.0},
    }
    times = Timings(
        [
            Series(name, n, None, (value,) * 6)
            for name, points in seconds.items()
            for n, value in points.items()
        ],
        origin=EXAMPLE,
    )
    overhead = heavy_tensors.overhead(times, "TF matmul")
    assert list(overhead) == [32 * 32]
    assert overhead[1024].value == pytest.approx(1 - (6 - 1) / 10)
    assert overhead[1024].origin == EXAMPLE
