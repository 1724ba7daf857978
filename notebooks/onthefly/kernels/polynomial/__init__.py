"""A cubic at each number of an array: ((2x + 3)x - 5)x + 7.

Six operations a number, and nothing to wait for: what a processor does best.
"""


def data(n, seed=0):
    """Return the arguments of each way: n numbers from 0 to 1."""
    import numpy as np

    return (np.random.default_rng(seed).random(n),)
