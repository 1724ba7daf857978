"""Counts of whole numbers of a list, a part in each thread or process.

Each has counts of its own, which are added in the end.
"""

import itertools

from onthefly.kernels.histogram.histogram_python import histogram_python
from onthefly.kernels.pools import parts, threads, usable


def histogram_parts(values, bins, pool=threads, workers=None):
    """Return the list of counts, one for each bin.

    values  list of whole numbers from 0 to below `bins`
    pool    function of the workers: pools.threads or pools.processes
    """
    workers = usable(workers)
    shares = parts(values, workers)
    bins = itertools.repeat(bins)
    counts = pool(workers).map(histogram_python, shares, bins)
    return list(map(sum, zip(*counts, strict=True)))
