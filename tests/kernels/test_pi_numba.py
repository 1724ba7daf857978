"""π by Numba, in threads."""

import pytest

from onthefly.kernels import z_score
from onthefly.kernels.pi_numba import pi_numba_threads


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_threads_share_all_the_shots(threads):
    assert z_score(pi_numba_threads(10**5 + 1, threads), 10**5 + 1) < 5
