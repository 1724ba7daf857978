"""Steps to 1 from each number of an array, by compiled loops."""

import numba
import numpy as np


@numba.njit(nogil=True)
def steps_to_one(x):
    """Return how many steps lead from a whole number, at least 1, to 1."""
    steps = 0
    while x != 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        steps += 1
    return steps


@numba.njit(nogil=True)
def collatz_numba(starts):
    """Return the steps, int64 of shape (n,).

    starts  int64 of shape (n,), at least 1 each
    """
    steps = np.empty_like(starts)
    for k in range(len(starts)):
        steps[k] = steps_to_one(starts[k])
    return steps
