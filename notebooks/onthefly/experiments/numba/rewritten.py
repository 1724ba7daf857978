"""π by NumPy as the talk prints it, but for a count rewritten as a loop.

It runs under any Python from 3.6, too, where the software of then is timed.
Source: Okuda, PyCon JP 2018, slides 18 and 46.
"""

import numpy as np


def pi_numpy_rewritten(shots):
    """Return π from `shots` points, in float64."""
    x = np.random.rand(shots).astype(np.float64)
    y = np.random.rand(shots).astype(np.float64)
    rs = np.add(np.multiply(x, x), np.multiply(y, y))
    ones = np.ones(shots, dtype=np.float64)
    lss = np.less_equal(rs, ones)
    hit = 0
    for v in lss:
        if v == 1:
            hit = hit + 1
    pi = np.float64(4.0) * np.float64(hit) / np.float64(shots)
    return pi
