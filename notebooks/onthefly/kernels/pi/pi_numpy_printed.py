"""π by NumPy, statement by statement as the talk prints it.

It runs under any Python from 3.6, too, where the software of then is timed.
Source: Okuda, PyCon JP 2018, slide 18.
"""

import numpy as np


def pi_numpy_printed(shots):
    """Return π from `shots` points, in float64."""
    x = np.random.rand(shots).astype(np.float64)
    y = np.random.rand(shots).astype(np.float64)
    rs = np.add(
        np.multiply(x, x, dtype=np.float64),
        np.multiply(y, y, dtype=np.float64),
        dtype=np.float64,
    )
    ones = np.ones(shots, dtype=np.float64)
    lss = np.less_equal(rs, ones)
    hit = np.count_nonzero(lss)
    pi = np.float64(4.0) * np.float64(hit) / np.float64(shots)
    return pi
