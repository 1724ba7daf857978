"""A sum of products of two lists, a part in each thread or process."""

from onthefly.kernels.dot.dot_python import dot_python
from onthefly.kernels.pools import parts, threads, usable


def dot_parts(x, y, pool=threads, workers=None):
    """Return the sum of the products of two lists of n numbers.

    pool  function of the workers: pools.threads or pools.processes
    """
    workers = usable(workers)
    pairs = parts(x, workers), parts(y, workers)
    return sum(pool(workers).map(dot_python, *pairs))
