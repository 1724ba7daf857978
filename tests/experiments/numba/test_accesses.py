"""What an access is made of."""

import pytest

from onthefly.experiments.numba import accesses
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings


def test_parts_are_without_the_loop():
    seconds = {"nothing": 2.0, "read": 5.0, "add": 3.0, "write": 1.0}
    times = Timings(
        Series(f"list: {k}", None, None, (s,) * 8) for k, s in seconds.items()
    )
    parts = accesses.parts(times, "list", 10)
    assert {k: q.value for k, q in parts.items()} == pytest.approx(
        {"the loop": 0.2, "read": 0.3, "add": 0.1, "write": -0.1}
    )
