"""A sum of products, by a compiled loop on all cores."""

import numba

from onthefly.kernels.pi.pi_numba_parallel import limited
from onthefly.kernels.pools import usable


@numba.njit(parallel=True)
def _dot(x, y):
    total = 0.0
    for k in numba.prange(len(x)):
        total += x[k] * y[k]
    return total


def dot_prange(x, y, workers=None):
    """Return the sum of the products of two float64 arrays of shape (n,)."""
    with limited(usable(workers)):
        return _dot(x, y)
