"""Counting into bins, by atomic additions of the device's threads."""

import numpy as np
from numba import cuda  # the simulator looks for this name

from onthefly.kernels.launches import THREADS, blocks, each


@cuda.jit
def clear(counts):
    """Each thread sets a bin to 0."""
    k = cuda.grid(1)
    if k < counts.size:
        counts[k] = 0


@cuda.jit
def count(values, counts):
    """Each thread adds 1 to the bin of its number."""
    k = cuda.grid(1)
    if k < values.size:
        cuda.atomic.add(counts, values[k], 1)


def histogram_cuda(values, bins):
    """Return how many of the numbers fall into each bin, int64 of (bins,).

    values  array on the device of whole numbers from 0 to below `bins`
    bins    how many there are
    """
    counts = cuda.device_array(bins, np.int64)
    clear[blocks(bins), THREADS](counts)
    each(count, values.size, values, counts)
    return counts
