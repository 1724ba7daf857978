"""Points that a root forgives, counted over a whole grid."""

import numpy as np

from onthefly.experiments.precision import grid
from onthefly.kernels.pi_numpy import hits_plain, hits_root


def test_half_precision_as_counted_one_by_one():
    steps = 2**11
    line = (np.arange(steps) / steps).astype(np.float16)
    x, y = np.meshgrid(line, line)
    forgiven, ties = grid.beside(np.float16)
    assert forgiven == hits_root(x, y) - hits_plain(x, y)
    exact = (x * x).astype(float) + (y * y).astype(float)
    half = 2.0**-11
    assert ties == np.isin(exact, (1 + half, 1 + 3 * half)).sum()


def test_half_of_the_ties_make_up_what_the_area_lacks():
    forgiven, ties = grid.beside(np.float16)
    area = np.pi / 4 * 2**-10 * 2**22
    assert forgiven / area < 0.9
    assert abs((forgiven + ties / 2) / area - 1) < 0.06
