"""A sum of products, by Dask: NumPy on parts in threads."""

from dask import delayed

from onthefly.kernels.dot.dot_numpy import dot_numpy
from onthefly.kernels.pools import parts, usable


def dot_dask(x, y, workers=None):
    """Return the sum of the products of two float64 arrays of shape (n,)."""
    workers = usable(workers)
    pairs = zip(parts(x, workers), parts(y, workers), strict=True)
    total = delayed(sum)([delayed(dot_numpy)(*pair) for pair in pairs])
    return total.compute(scheduler="threads", num_workers=workers)
