"""Sums by key of arrays: the keys are numbered, and their places summed."""

import numpy as np


def sums(keys, values):
    """Return (the different keys, their sums) of two arrays."""
    names, places = np.unique(keys, return_inverse=True)
    return names, np.bincount(places, weights=values).astype(np.int64)


def grouping_numpy(keys, values):
    """Return {key: sum of its values} of two lists."""
    names, totals = sums(np.array(keys), np.array(values))
    return dict(zip(names.tolist(), totals.tolist(), strict=True))
