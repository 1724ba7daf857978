"""Counts of whole numbers, by a loop in C."""

import functools
import pathlib
from ctypes import POINTER, c_int64, c_long

import numpy as np

from onthefly.tools.cpp import function

SOURCE = pathlib.Path(__file__).with_name("histogram.c")


@functools.cache
def _histogram():
    arguments = POINTER(c_int64), c_long, POINTER(c_int64)
    return function(SOURCE, "histogram", arguments)


def histogram_c(values, bins):
    """Return the counts, int64 of shape (bins,).

    values  int64 of shape (n,), from 0 to below `bins`
    """
    counts = np.zeros(bins, np.int64)
    pointer = c_int64.from_buffer
    _histogram()(pointer(values), len(values), pointer(counts))
    return counts
