"""A sum of products, by a loop in C."""

import functools
import pathlib
from ctypes import c_double, c_long

from onthefly.tools.cpp import DOUBLES, function

SOURCE = pathlib.Path(__file__).with_name("dot.c")


@functools.cache
def _dot():
    return function(SOURCE, "dot", (DOUBLES, DOUBLES, c_long), c_double)


def dot_c(x, y):
    """Return the sum of the products of two float64 arrays of shape (n,)."""
    pointer = c_double.from_buffer
    return _dot()(pointer(x), pointer(y), len(x))
