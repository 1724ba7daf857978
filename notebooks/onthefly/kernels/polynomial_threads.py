"""A cubic at each number of a list, a part in each of several threads."""

import itertools

from onthefly.kernels.polynomial_python import polynomial_python
from onthefly.kernels.pools import parts, threads, usable


def polynomial_threads(x, workers=None):
    """Return the list of the cubic's values at the numbers of a list."""
    workers = usable(workers)
    found = threads(workers).map(polynomial_python, parts(x, workers))
    return list(itertools.chain.from_iterable(found))
