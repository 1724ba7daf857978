"""A filter with a memory, by SciPy's routine for filters of any order."""

from scipy.signal import lfilter

from onthefly.kernels.filter import A, B


def filter_routine(x):
    """Return the array of filtered numbers, float64 of shape (n,)."""
    return lfilter([B], [1.0, -A], x)
