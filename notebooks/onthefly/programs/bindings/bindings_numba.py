"""The moving average, compiled by Numba."""

import numba


@numba.njit
def decay(x, y):
    level = 0.0
    for k in range(x.size):
        level = 0.9 * level + 0.1 * x[k]
        y[k] = level
