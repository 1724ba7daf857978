# cython: language_level=3, boundscheck=False, wraparound=False


def decay(const double[::1] x, double[::1] y):
    cdef Py_ssize_t k
    cdef double level = 0
    for k in range(x.shape[0]):
        level = 0.9 * level + 0.1 * x[k]
        y[k] = level
