"""A filter with a memory, by the interpreter's loop."""

from onthefly.kernels.filter import A, B


def filter_python(x):
    """Return the list of n filtered numbers of a list."""
    y, last = [], 0.0
    for v in x:
        last = A * last + B * v
        y.append(last)
    return y
