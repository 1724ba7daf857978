"""The nearest points: all queries at once, by NumPy."""

import numpy as np


def nearest_broadcast(queries, points):
    """Return the index of the nearest point of each query, and how far."""
    differences = queries[:, None, :] - points  # of shape (m, n, 3)
    squares = (differences**2).sum(axis=2)
    indices = squares.argmin(axis=1)
    return indices, np.sqrt(squares[np.arange(len(queries)), indices])
