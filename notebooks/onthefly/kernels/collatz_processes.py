"""Steps to 1 from each number of a list, a part in each process."""

import itertools

from onthefly.kernels.collatz_python import collatz_python
from onthefly.kernels.pools import parts, processes, usable


def collatz_processes(starts, workers=None):
    """Return the list of steps, one for each of a list of whole numbers.

    starts  at least 1 each
    """
    workers = usable(workers)
    found = processes(workers).map(collatz_python, parts(starts, workers))
    return list(itertools.chain.from_iterable(found))
