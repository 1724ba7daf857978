"""A filter with a memory, by a loop in C."""

import functools
import pathlib
from ctypes import c_double, c_long

import numpy as np

from onthefly.kernels.filter import A, B
from onthefly.tools.cpp import DOUBLES, function

SOURCE = pathlib.Path(__file__).with_name("filter.c")


@functools.cache
def _filter():
    arguments = DOUBLES, DOUBLES, c_long, c_double, c_double
    return function(SOURCE, "filter", arguments)


def filter_c(x):
    """Return the array of filtered numbers, float64 of shape (n,)."""
    y = np.empty_like(x)
    pointer = c_double.from_buffer
    _filter()(pointer(x), pointer(y), len(x), A, B)
    return y
