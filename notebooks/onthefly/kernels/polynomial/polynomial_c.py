"""A cubic at each number of an array, by a loop in C."""

import functools
import pathlib
from ctypes import c_double, c_long

import numpy as np

from onthefly.tools.cpp import DOUBLES, function

SOURCE = pathlib.Path(__file__).with_name("polynomial.c")


@functools.cache
def _polynomial():
    return function(SOURCE, "polynomial", (DOUBLES, DOUBLES, c_long))


def polynomial_c(x):
    """Return the array of the cubic's values, float64 of shape (n,)."""
    y = np.empty_like(x)
    pointer = c_double.from_buffer
    _polynomial()(pointer(x), pointer(y), len(x))
    return y
