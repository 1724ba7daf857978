"""A sum of products, by a compiled loop."""

import numba


@numba.njit(nogil=True)
def dot_numba(x, y):
    """Return the sum of the products of two float64 arrays of shape (n,)."""
    total = 0.0
    for k in range(len(x)):
        total += x[k] * y[k]
    return total
