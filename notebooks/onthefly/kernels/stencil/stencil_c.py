"""Sweeps over a grid, by loops in C."""

import functools
import pathlib
from ctypes import c_double, c_int, c_long

from onthefly.kernels.stencil import SWEEPS
from onthefly.tools.cpp import DOUBLES, function

SOURCE = pathlib.Path(__file__).with_name("stencil.c")


@functools.cache
def _stencil():
    arguments = DOUBLES, DOUBLES, c_long, c_long, c_int
    return function(SOURCE, "stencil", arguments)


def stencil_c(grid):
    """Return the grid after the sweeps, float64 of the same shape.

    grid  float64 of two dimensions, row by row; it is not changed
    """
    a, b = grid.copy(), grid.copy()
    pointer = c_double.from_buffer
    _stencil()(pointer(a), pointer(b), *grid.shape, SWEEPS)
    return b if SWEEPS % 2 else a
