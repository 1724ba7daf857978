"""The eight problems for Pythran: loops and arrays of NumPy, made C++.

Each takes what `<problem>_numba` takes, and returns the same.  Without
Pythran this is a module like any other; the lines that begin with #pythran
say for which types it compiles.
"""

import random

import numpy as np


# pythran export pi_pythran(int)
def pi_pythran(shots):
    """Return π estimated from `shots` points."""
    if shots < 1:
        raise ValueError("shots must be at least 1")
    hits = 0
    for _ in range(shots):
        x = random.random()
        y = random.random()
        if x * x + y * y <= 1.0:
            hits += 1
    return 4.0 * hits / shots


# pythran export polynomial_pythran(float64[])
def polynomial_pythran(x):
    """Return the array of the cubic's values."""
    return ((2.0 * x + 3.0) * x - 5.0) * x + 7.0


# pythran export dot_pythran(float64[], float64[])
def dot_pythran(x, y):
    """Return the sum of products."""
    return np.sum(x * y)


# pythran export filter_pythran(float64[])
def filter_pythran(x):
    """Return the array of filtered numbers."""
    y, last = np.empty_like(x), 0.0
    for k in range(len(x)):
        last = 0.9 * last + 0.1 * x[k]
        y[k] = last
    return y


def _sweep(before, after):
    """Write the mean of each inner cell's neighbours."""
    rows, columns = before.shape
    for i in range(1, rows - 1):
        for j in range(1, columns - 1):
            after[i, j] = 0.25 * (
                before[i - 1, j]
                + before[i + 1, j]
                + before[i, j - 1]
                + before[i, j + 1]
            )


# pythran export stencil_pythran(float64[:, :])
def stencil_pythran(grid):
    """Return the grid after ten sweeps."""
    one, other = grid.copy(), grid.copy()
    for _ in range(5):
        _sweep(one, other)
        _sweep(other, one)
    return one


# pythran export histogram_pythran(int64[], int)
def histogram_pythran(values, bins):
    """Return the counts, one for each bin."""
    counts = np.zeros(bins, np.int64)
    for value in values:
        counts[value] += 1
    return counts


# pythran export collatz_pythran(int64[])
def collatz_pythran(starts):
    """Return the steps from each start to 1."""
    steps = np.empty_like(starts)
    for k in range(len(starts)):
        x, count = starts[k], 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            count += 1
        steps[k] = count
    return steps


# pythran export words_pythran(str)
def words_pythran(text):
    """Return {word: count} of a text."""
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts
