"""Compiled loops of which each has one trait: it waits for its own results,
for memory, or for neither."""

import numba
import numpy as np


@numba.njit
def smooth(x):
    """Return x smoothed: each result waits for the one before.

    x  float64 of shape (n,), not empty; so is what is returned
    """
    y = np.empty_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = 0.9 * y[i - 1] + 0.1 * x[i]
    return y


@numba.njit
def cut(x):
    """Return as many operations on x as `smooth`, of which none waits."""
    y = np.empty_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = 0.9 * x[i - 1] + 0.1 * x[i]
    return y


@numba.njit
def cubic(x, y):
    """Write the cubic at each number of x into y, float64 of shape (n,)."""
    for i in range(len(x)):
        v = x[i]
        y[i] = ((2.0 * v + 3.0) * v - 5.0) * v + 7.0


@numba.njit
def many_cubics(x, y):
    """Write 20 cubics in a row of each number of x into y.

    x, y  float64 of shape (n,); numbers from 0 to 1 stay there
    """
    for i in range(len(x)):
        v = x[i]
        for _ in range(20):
            v = ((2.0 * v - 3.0) * v + 1.0) * v + 0.5
        y[i] = v


@numba.njit
def count(x, y):
    """Count the numbers of x, int64 from 0 to below len(y), in y."""
    for i in range(len(x)):
        y[x[i]] += 1
