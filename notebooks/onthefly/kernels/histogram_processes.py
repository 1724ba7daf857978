"""Counts of whole numbers of a list, a part in each of several processes.

Each has counts of its own, which are added in the end.
"""

import itertools

from onthefly.kernels.histogram_python import histogram_python
from onthefly.kernels.pools import parts, processes, usable


def histogram_processes(values, bins, workers=None):
    """Return the list of counts, one for each bin.

    values  list of whole numbers from 0 to below `bins`
    """
    workers = usable(workers)
    shares = parts(values, workers)
    bins = itertools.repeat(bins)
    found = processes(workers).map(histogram_python, shares, bins)
    return list(map(sum, zip(*found, strict=True)))
