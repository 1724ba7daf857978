"""Counts of whole numbers, by NumPy's routine for it."""

import numpy as np


def histogram_routine(values, bins):
    """Return the counts, int64 of shape (bins,).

    values  int64 of shape (n,), from 0 to below `bins`
    """
    return np.bincount(values, minlength=bins)
