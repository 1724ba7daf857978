"""The nearest points: all distances, by SciPy."""

import numpy as np
from scipy.spatial.distance import cdist


def nearest_cdist(queries, points):
    """Return the index of the nearest point of each query, and how far."""
    squares = cdist(queries, points, "sqeuclidean")
    indices = squares.argmin(axis=1)
    return indices, np.sqrt(squares[np.arange(len(queries)), indices])
