"""Steps to 1 from each number of an array, by operations on those that are
still under way."""

import numpy as np


def collatz_numpy(starts):
    """Return the steps, int64 of shape (n,).

    starts  int64 of shape (n,), at least 1 each
    """
    steps = np.zeros_like(starts)
    places = np.flatnonzero(starts != 1)
    x = starts[places]
    while x.size:
        x = np.where(x % 2 == 0, x // 2, 3 * x + 1)
        steps[places] += 1
        under_way = x != 1
        x, places = x[under_way], places[under_way]
    return steps
