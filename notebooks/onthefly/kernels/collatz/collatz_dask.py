"""Steps to 1 from each number of an array, by Dask: NumPy on parts in
threads."""

import numpy as np
from dask import delayed

from onthefly.kernels.collatz.collatz_numpy import collatz_numpy
from onthefly.kernels.pools import parts, usable


def collatz_dask(starts, workers=None):
    """Return the steps, int64 of shape (n,).

    starts  int64 of shape (n,), at least 1 each
    """
    workers = usable(workers)
    steps = [delayed(collatz_numpy)(part) for part in parts(starts, workers)]
    whole = delayed(np.concatenate)(steps)
    return whole.compute(scheduler="threads", num_workers=workers)
