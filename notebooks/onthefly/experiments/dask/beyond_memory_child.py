"""Sum an array of ones under a limit of memory: for `beyond_memory`."""

import resource

import dask.array
import numpy as np

from onthefly.experiments.tensorflow import resident

SUMS = {
    "NumPy": lambda n: np.ones(n).sum(),
    "Dask": lambda n: (
        dask.array.ones(n, chunks=10**7)
        .sum()
        .compute(scheduler="synchronous")
    ),
}


def summed(name, n, limit):
    """Return whether the sum of n ones is n, with so many bytes more."""
    most = resident.size("VmSize") + limit
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        return bool(SUMS[name](n) == n)
    except MemoryError:
        return False
