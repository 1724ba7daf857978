# cython: language_level=3, boundscheck=False, wraparound=False
# cython: cdivision=True, infer_types=True
"""The eight problems for Cython: Python's loops, with the types of C.

Each takes what `<problem>_numba` takes, and returns the same.  The generator
is that of pi_c.c, xoshiro256+.  Source: Blackman and Vigna, Scrambled linear
pseudorandom number generators, ACM Trans. Math. Softw. 47, 2021.
"""

import random

import numpy as np
from libc.stdint cimport int64_t, uint64_t


cdef double drawn(uint64_t *s) noexcept nogil:
    """Return the next number from 0 to 1 of a generator."""
    cdef uint64_t result = s[0] + s[3], t = s[1] << 17
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = (s[3] << 45) | (s[3] >> 19)
    return (result >> 11) * (1.0 / 9007199254740992.0)


def pi_cython(int64_t shots, rng=None):
    """Return π estimated from `shots` points."""
    cdef uint64_t s[4]
    cdef int64_t k, hits = 0
    cdef double x, y
    if shots < 1:
        raise ValueError(f"shots must be at least 1, not {shots}")
    for k in range(4):
        s[k] = (rng or random).getrandbits(64)
    for k in range(shots):
        x = drawn(s)
        y = drawn(s)
        if x * x + y * y <= 1.0:
            hits += 1
    return 4.0 * hits / shots


def polynomial_cython(double[::1] x):
    """Return the array of the cubic's values."""
    y = np.empty(len(x))
    cdef double[::1] out = y
    cdef double v
    for k in range(len(x)):
        v = x[k]
        out[k] = ((2.0 * v + 3.0) * v - 5.0) * v + 7.0
    return y


def dot_cython(double[::1] x, double[::1] y):
    """Return the sum of products."""
    cdef double total = 0.0
    for k in range(len(x)):
        total += x[k] * y[k]
    return total


def filter_cython(double[::1] x):
    """Return the array of filtered numbers."""
    y = np.empty(len(x))
    cdef double[::1] out = y
    cdef double last = 0.0
    for k in range(len(x)):
        last = 0.9 * last + 0.1 * x[k]
        out[k] = last
    return y


cdef void sweep(double[:, ::1] before, double[:, ::1] after) noexcept nogil:
    """Write the mean of each inner cell's neighbours."""
    cdef Py_ssize_t i, j
    for i in range(1, before.shape[0] - 1):
        for j in range(1, before.shape[1] - 1):
            after[i, j] = 0.25 * (
                before[i - 1, j]
                + before[i + 1, j]
                + before[i, j - 1]
                + before[i, j + 1]
            )


def stencil_cython(grid):
    """Return the grid after ten sweeps."""
    before, after = grid.copy(), grid.copy()
    for _ in range(10):
        sweep(before, after)
        before, after = after, before
    return before


def histogram_cython(int64_t[::1] values, Py_ssize_t bins):
    """Return the counts, one for each bin."""
    counts = np.zeros(bins, np.int64)
    cdef int64_t[::1] out = counts
    for k in range(len(values)):
        out[values[k]] += 1
    return counts


def collatz_cython(int64_t[::1] starts):
    """Return the steps from each start to 1."""
    steps = np.empty(len(starts), np.int64)
    cdef int64_t[::1] out = steps
    cdef int64_t x, count
    for k in range(len(starts)):
        x = starts[k]
        count = 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            count += 1
        out[k] = count
    return steps


def words_cython(str text):
    """Return {word: count} of a text."""
    cdef dict counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts
