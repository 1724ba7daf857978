"""The nearest points: the two loops, compiled, the queries on all cores."""

import numba
import numpy as np


@numba.njit(parallel=True)
def nearest_prange(queries, points):
    """Return the index of the nearest point of each query, and how far."""
    indices = np.empty(len(queries), np.int64)
    distances = np.empty(len(queries))
    for i in numba.prange(len(queries)):
        qx, qy, qz = queries[i]
        least, index = np.inf, -1
        for k in range(len(points)):
            dx = points[k, 0] - qx
            dy = points[k, 1] - qy
            dz = points[k, 2] - qz
            square = dx * dx + dy * dy + dz * dz
            if square < least:
                least, index = square, k
        indices[i], distances[i] = index, np.sqrt(least)
    return indices, distances
