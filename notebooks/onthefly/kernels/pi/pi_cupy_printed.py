"""π by CuPy, statement by statement as the talk prints it: ones to compare
with.  Import it only where there is a device.  Source: Okuda, PyCon JP 2018,
slide 52, which ends with the count; here the count is fetched."""

import cupy as cp
import numpy as np

from onthefly.kernels import check_shots

stream = cp.random.RandomState


def pi_cupy_printed(shots, rng=None):
    """Return π estimated from `shots` points, in float64."""
    shots = check_shots(shots)
    rand = (rng or cp.random).rand
    x = rand(shots, dtype=cp.float64)
    y = rand(shots, dtype=cp.float64)
    rs = cp.add(
        cp.multiply(x, x, dtype=np.float64),
        cp.multiply(y, y, dtype=np.float64),
        dtype=np.float64,
    )
    ones = cp.ones(shots, dtype=cp.float64)
    lss = cp.less_equal(rs, ones)
    hit = cp.count_nonzero(lss)
    return 4.0 * int(hit) / shots
