"""Points that a root forgives, counted over a whole grid."""

import numpy as np

from onthefly.experiments.precision import grid
from onthefly.kernels.pi.pi_numpy import hits_plain, hits_root


def test_half_precision_as_counted_one_by_one():
    steps = 2**11
    line = (np.arange(steps) / steps).astype(np.float16)
    x, y = np.meshgrid(line, line)
    forgiven, ties = grid.beside(np.float16)
    assert forgiven == hits_root(x, y) - hits_plain(x, y)
    exact = (x * x).astype(float) + (y * y).astype(float)
    half = 2.0**-11
    assert ties == np.isin(exact, (1 + half, 1 + 3 * half)).sum()
