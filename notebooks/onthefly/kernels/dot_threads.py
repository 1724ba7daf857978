"""A sum of products of two lists, a part in each of several threads."""

from onthefly.kernels.dot_python import dot_python
from onthefly.kernels.pools import parts, threads, usable


def dot_threads(x, y, workers=None):
    """Return the sum of the products of two lists of n numbers."""
    workers = usable(workers)
    pairs = parts(x, workers), parts(y, workers)
    return sum(threads(workers).map(dot_python, *pairs))
