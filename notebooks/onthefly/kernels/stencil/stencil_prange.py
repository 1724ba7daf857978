"""Sweeps over a grid, by compiled loops that share its rows on all cores."""

import numba

from onthefly.kernels.pi.pi_numba_parallel import limited
from onthefly.kernels.pools import usable
from onthefly.kernels.stencil import SWEEPS


@numba.njit(parallel=True)
def _swept(grid):
    rows, columns = grid.shape
    before, after = grid.copy(), grid.copy()
    for _ in range(SWEEPS):
        for i in numba.prange(1, rows - 1):
            for j in range(1, columns - 1):
                after[i, j] = 0.25 * (
                    before[i - 1, j]
                    + before[i + 1, j]
                    + before[i, j - 1]
                    + before[i, j + 1]
                )
        before, after = after, before
    return before


def stencil_prange(grid, workers=None):
    """Return the grid after the sweeps, float64 of the same shape.

    grid  float64 of two dimensions; it is not changed
    """
    with limited(usable(workers)):
        return _swept(grid)
