"""Add one to an array, many times, by TensorFlow."""

import numpy as np
import pytest

from onthefly.kernels.add import add_tensorflow

ADDS = ["eager", "unrolled", "session", "while", "function"]


@pytest.mark.parametrize("way", ADDS)
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_steps_are_added(way, steps):
    array = np.arange(4, dtype=np.float32)
    result = getattr(add_tensorflow, f"add_{way}")(array, steps)
    assert result.dtype == np.float32
    assert np.array_equal(result, array + steps)
