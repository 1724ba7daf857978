"""A filter with a memory: y[i] = A·y[i - 1] + B·x[i], and nothing before.

Each element waits for the one before.  Engineers call it an exponential
moving average, or a low-pass filter of first order.
"""

A, B = 0.9, 0.1


def data(n, seed=0):
    """Return the arguments of each way: n numbers from 0 to 1."""
    import numpy as np

    return (np.random.default_rng(seed).random(n),)
