"""No version of the program: what moving its bytes takes at least."""

import numpy as np


def copies(grid, sweeps):
    """Copy the grid as often as a version sweeps over it."""
    before, after = grid.copy(), grid.copy()
    for _ in range(sweeps):
        np.copyto(after, before)
        before, after = after, before
    return before
