"""π in parts, by a pool or in series."""

import pytest

from onthefly.kernels import pi_pool, split


def test_the_mean_weighs_parts_by_their_shots():
    sizes = split(10, 3)
    assert pi_pool.mean([4.0, 2.0, 1.0], sizes) == pytest.approx(2.5)
    seen = []
    pi_pool.pi_series(lambda n: seen.append(n) or 3.0, 10, 3)
    assert seen == sizes
