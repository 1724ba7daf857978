"""Sweeps over a grid, by compiled loops."""

import numba

from onthefly.kernels.stencil import SWEEPS


@numba.njit(nogil=True)
def stencil_numba(grid):
    """Return the grid after the sweeps, float64 of the same shape.

    grid  float64 of two dimensions; it is not changed
    """
    rows, columns = grid.shape
    before, after = grid.copy(), grid.copy()
    for _ in range(SWEEPS):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                after[i, j] = 0.25 * (
                    before[i - 1, j]
                    + before[i + 1, j]
                    + before[i, j - 1]
                    + before[i, j + 1]
                )
        before, after = after, before
    return before
