# cython: language_level=3, boundscheck=False, wraparound=False
"""A sweep over a grid, for Cython."""


def sweep(double[:, ::1] before, double[:, ::1] after):
    cdef Py_ssize_t i, j
    for i in range(1, before.shape[0] - 1):
        for j in range(1, before.shape[1] - 1):
            after[i, j] = 0.2 * (
                before[i, j]
                + before[i - 1, j]
                + before[i + 1, j]
                + before[i, j - 1]
                + before[i, j + 1]
            )
