"""Counts of whole numbers, by a compiled loop on all cores.

Threads that added to the same counts would lose updates: each has counts of
its own, and a second loop adds them.
"""

import numba
import numpy as np

from onthefly.kernels.pi.pi_numba_parallel import limited
from onthefly.kernels.pools import usable


@numba.njit(parallel=True)
def _counts(values, bins, parts):
    own = np.zeros((parts, bins), np.int64)
    for k in numba.prange(parts):
        first, end = k * len(values) // parts, (k + 1) * len(values) // parts
        for i in range(first, end):
            own[k, values[i]] += 1
    counts = np.zeros(bins, np.int64)
    for j in numba.prange(bins):
        for k in range(parts):
            counts[j] += own[k, j]
    return counts


def histogram_prange(values, bins, workers=None):
    """Return the counts, int64 of shape (bins,).

    values  int64 of shape (n,), from 0 to below `bins`
    """
    workers = usable(workers)
    with limited(workers):
        return _counts(values, bins, workers)
