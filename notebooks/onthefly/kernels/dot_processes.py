"""A sum of products of two lists, a part in each of several processes."""

from onthefly.kernels.dot_python import dot_python
from onthefly.kernels.pools import parts, processes, usable


def dot_processes(x, y, workers=None):
    """Return the sum of the products of two lists of n numbers."""
    workers = usable(workers)
    pairs = parts(x, workers), parts(y, workers)
    return sum(processes(workers).map(dot_python, *pairs))
