"""A filter with a memory, by a compiled loop."""

import numba
import numpy as np

from onthefly.kernels.filter import A, B


@numba.njit(nogil=True)
def filter_numba(x):
    """Return the array of filtered numbers, float64 of shape (n,)."""
    y, last = np.empty_like(x), 0.0
    for k in range(len(x)):
        last = A * last + B * x[k]
        y[k] = last
    return y
