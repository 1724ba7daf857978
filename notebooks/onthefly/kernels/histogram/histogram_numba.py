"""Counts of whole numbers, by a compiled loop."""

import numba
import numpy as np


@numba.njit(nogil=True)
def histogram_numba(values, bins):
    """Return the counts, int64 of shape (bins,).

    values  int64 of shape (n,), from 0 to below `bins`
    """
    counts = np.zeros(bins, np.int64)
    for value in values:
        counts[value] += 1
    return counts
