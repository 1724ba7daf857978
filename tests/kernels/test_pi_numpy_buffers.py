"""π by arrays that are used again, and by threads with their own streams."""

import numpy as np
import pytest

from onthefly.kernels import pi_numpy, z_score


@pytest.mark.parametrize("chunk", [None, 1, 999, 10_000, 10**6])
def test_buffers_count_every_shot(chunk):
    if chunk == 1:
        assert pi_numpy.pi_numpy_buffers(3, chunk=1) in (0, 4 / 3, 8 / 3, 4)
        return
    pi = pi_numpy.pi_numpy_buffers(12_345, np.random.default_rng(3), chunk)
    assert z_score(pi, 12_345) < 5


@pytest.mark.parametrize("count", [1, 2, 3])
def test_threads_with_streams_of_their_own_repeat(count):
    first, again = (
        pi_numpy.pi_numpy_threads(10**5 + 1, pi_numpy.spawn(7, count))
        for _ in range(2)
    )
    assert first == again and z_score(first, 10**5 + 1) < 5
