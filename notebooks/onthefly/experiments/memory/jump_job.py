"""The work of the jump, for each NumPy from 1.17 on."""

import numpy as np

_rng = np.random.default_rng(2018)


def hits(shots):
    """Count the points of `shots` that lie in the quarter circle."""
    x, y = _rng.random(shots), _rng.random(shots)
    return np.count_nonzero(x * x + y * y <= 1)
