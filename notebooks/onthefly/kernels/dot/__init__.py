"""A sum of products of two arrays: read much, keep one number."""


def data(n, seed=0):
    """Return the arguments of each way: twice n numbers from 0 to 1."""
    import numpy as np

    rng = np.random.default_rng(seed)
    return rng.random(n), rng.random(n)
