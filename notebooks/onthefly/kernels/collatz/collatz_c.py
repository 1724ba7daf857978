"""Steps to 1 from each number of an array, by loops in C."""

import functools
import pathlib
from ctypes import POINTER, c_int64, c_long

import numpy as np

from onthefly.tools.cpp import function

SOURCE = pathlib.Path(__file__).with_name("collatz.c")


@functools.cache
def _collatz():
    arguments = POINTER(c_int64), POINTER(c_int64), c_long
    return function(SOURCE, "collatz", arguments)


def collatz_c(starts):
    """Return the steps, int64 of shape (n,).

    starts  int64 of shape (n,), at least 1 each
    """
    steps = np.empty_like(starts)
    pointer = c_int64.from_buffer
    _collatz()(pointer(starts), pointer(steps), len(starts))
    return steps
