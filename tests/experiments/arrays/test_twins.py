"""NumPy's functions and their twins in Python."""

import numpy as np
import pytest

from onthefly.experiments.arrays import twins


@pytest.mark.parametrize("size", [1, 300])
def test_twins_return_the_same(size):
    pairs = twins.pairs(size, seed=3)
    assert len(pairs) == 8
    for name, (numpy, python) in pairs.items():
        assert np.array_equal(numpy(), python()), name
