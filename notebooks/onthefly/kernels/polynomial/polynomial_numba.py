"""A cubic at each number of an array, by a compiled loop."""

import numba
import numpy as np


@numba.njit(nogil=True)
def polynomial_numba(x):
    """Return the array of the cubic's values, float64 of shape (n,)."""
    y = np.empty_like(x)
    for k in range(len(x)):
        v = x[k]
        y[k] = ((2.0 * v + 3.0) * v - 5.0) * v + 7.0
    return y
