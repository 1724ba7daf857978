"""SplitMix64: the numbers of a counter, well mixed.

A stream is ``mix(seed + k * STEP)`` for k = 1, 2, …  What is written here
works on NumPy's arrays, and Numba compiles it for its kernels; those in C
have their own.  Source: Steele, Lea and Flood, Fast splittable pseudorandom
number generators, OOPSLA 2014.
"""

import numpy as np

STEP = np.uint64(0x9E3779B97F4A7C15)  # odd, 2^64 divided by the golden ratio


def mix(z):
    """Return 64 well mixed bits of each number.

    z  np.uint64 in compiled code, or an array of them
    """
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
