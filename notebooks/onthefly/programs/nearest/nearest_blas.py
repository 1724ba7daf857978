"""The nearest points: a product of matrices, |a|^2 - 2 a b + |b|^2."""

import numpy as np


def nearest_blas(queries, points):
    """Return the index of the nearest point of each query, and how far."""
    squares = queries @ points.T
    squares *= -2
    squares += (queries**2).sum(axis=1)[:, None]
    squares += (points**2).sum(axis=1)
    indices = squares.argmin(axis=1)
    least = squares[np.arange(len(queries)), indices]
    return indices, np.sqrt(np.maximum(least, 0))
