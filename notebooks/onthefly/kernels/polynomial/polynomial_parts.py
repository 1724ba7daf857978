"""A cubic at each number of a list, a part in each thread or process."""

import itertools

from onthefly.kernels.polynomial.polynomial_python import polynomial_python
from onthefly.kernels.pools import parts, threads, usable


def polynomial_parts(x, pool=threads, workers=None):
    """Return the list of the cubic's values at the numbers of a list.

    pool  function of the workers: pools.threads or pools.processes
    """
    workers = usable(workers)
    shares = pool(workers).map(polynomial_python, parts(x, workers))
    return list(itertools.chain.from_iterable(shares))
