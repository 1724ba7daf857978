"""Steps to 1 from each number of an array, by compiled loops on all cores."""

import numba
import numpy as np

from onthefly.kernels.collatz.collatz_numba import steps_to_one
from onthefly.kernels.pi.pi_numba_parallel import limited
from onthefly.kernels.pools import usable


# Each thread gets one stretch of the array, of equal length.  That is even
# enough: the number of steps changes from one start to the next, but hardly
# from one half of the starts to the other.
@numba.njit(parallel=True)
def _steps(starts):
    steps = np.empty_like(starts)
    for k in numba.prange(len(starts)):
        steps[k] = steps_to_one(starts[k])
    return steps


def collatz_prange(starts, workers=None):
    """Return the steps, int64 of shape (n,).

    starts  int64 of shape (n,), at least 1 each
    """
    with limited(usable(workers)):
        return _steps(starts)
