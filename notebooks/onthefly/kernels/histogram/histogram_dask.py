"""Counts of whole numbers, by Dask: a part of the array in each task."""

import dask.array as da

from onthefly.kernels.pools import usable


def histogram_dask(values, bins, workers=None):
    """Return the counts, int64 of shape (bins,).

    values  int64 of shape (n,), from 0 to below `bins`
    """
    workers = usable(workers)
    parts = da.from_array(values, chunks=-(-len(values) // workers))
    counts = da.bincount(parts, minlength=bins)
    return counts.compute(scheduler="threads", num_workers=workers)
