"""What an access is made of: steps that do what they say."""

import numpy as np
import pytest

from onthefly.experiments.numba import accesses
from onthefly.timings import Series, Timings


@pytest.mark.parametrize("v", [[0.5] * 5, np.full(5, 0.5)])
def test_steps_change_what_they_should(v):
    for step in (accesses.nothing, accesses.read, accesses.add):
        step(v, v[0])
        assert list(v) == [0.5] * 5
    accesses.write(v, 2.0)
    assert list(v) == [2.0] * 5
    accesses.all_three(v, None)
    assert list(v) == [3.0] * 5


def test_parts_are_without_the_loop():
    seconds = {"nothing": 2.0, "read": 5.0, "add": 3.0, "write": 1.0}
    times = Timings(
        Series(f"list: {k}", None, None, (s,) * 8) for k, s in seconds.items()
    )
    parts = accesses.parts(times, "list", 10)
    assert {k: q.value for k, q in parts.items()} == pytest.approx(
        {"the loop": 0.2, "read": 0.3, "add": 0.1, "write": -0.1}
    )
