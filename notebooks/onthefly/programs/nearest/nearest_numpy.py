"""The nearest points: one query at a time, by NumPy."""

import numpy as np


def nearest_numpy(queries, points):
    """Return the index of the nearest point of each query, and how far."""
    indices = np.empty(len(queries), int)
    distances = np.empty(len(queries))
    for i, query in enumerate(queries):
        squares = ((points - query) ** 2).sum(axis=1)
        indices[i] = k = squares.argmin()
        distances[i] = np.sqrt(squares[k])
    return indices, distances
