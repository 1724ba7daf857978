"""How often each whole number occurs: a count for each of many bins.

There are as many bins as numbers, so that the counts are as long as the
array, and each number adds to a place that nothing tells beforehand.
"""


def data(n, seed=0):
    """Return the arguments of each way: n whole numbers, and n bins.

    The numbers, int64 of shape (n,), go from 0 to below the bins.
    """
    import numpy as np

    return np.random.default_rng(seed).integers(n, size=n), n
