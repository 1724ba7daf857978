"""A cubic at each number of an array, by Dask: NumPy on parts in threads."""

import numpy as np
from dask import delayed

from onthefly.kernels.polynomial.polynomial_numpy import polynomial_numpy
from onthefly.kernels.pools import parts, usable


def polynomial_dask(x, workers=None):
    """Return the array of the cubic's values, float64 of shape (n,)."""
    workers = usable(workers)
    tasks = [delayed(polynomial_numpy)(part) for part in parts(x, workers)]
    y = delayed(np.concatenate)(tasks)
    return y.compute(scheduler="threads", num_workers=workers)
