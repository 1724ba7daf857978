"""Steps to 1 from each number of a list, a part in each thread or process."""

import itertools

from onthefly.kernels.collatz.collatz_python import collatz_python
from onthefly.kernels.pools import parts, threads, usable


def collatz_parts(starts, pool=threads, workers=None):
    """Return the list of steps, one for each of a list of whole numbers.

    starts  at least 1 each
    pool  function of the workers: pools.threads or pools.processes
    """
    workers = usable(workers)
    shares = pool(workers).map(collatz_python, parts(starts, workers))
    return list(itertools.chain.from_iterable(shares))
