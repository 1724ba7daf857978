"""A sum of products, by NumPy's routine, which hands it to BLAS.

BLAS takes several threads where the arrays are long.
"""

import numpy as np


def dot_routine(x, y):
    """Return the sum of the products of two float64 arrays of shape (n,)."""
    return np.dot(x, y)
