"""A cubic at each number of an array, by a compiled loop on all cores."""

import numba
import numpy as np

from onthefly.kernels.pi.pi_numba_parallel import limited
from onthefly.kernels.pools import usable


@numba.njit(parallel=True)
def _values(x):
    y = np.empty_like(x)
    for k in numba.prange(len(x)):
        v = x[k]
        y[k] = ((2.0 * v + 3.0) * v - 5.0) * v + 7.0
    return y


def polynomial_prange(x, workers=None):
    """Return the array of the cubic's values, float64 of shape (n,)."""
    with limited(usable(workers)):
        return _values(x)
