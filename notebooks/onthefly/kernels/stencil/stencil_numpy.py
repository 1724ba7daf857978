"""Sweeps over a grid, by operations on shifted parts of the array."""

from onthefly.kernels.stencil import SWEEPS


def stencil_numpy(grid):
    """Return the grid after the sweeps, float64 of the same shape.

    grid  float64 of two dimensions; it is not changed
    """
    grid = grid.copy()
    for _ in range(SWEEPS):
        # All the means are there before the first is put in its place.
        grid[1:-1, 1:-1] = 0.25 * (
            grid[:-2, 1:-1]
            + grid[2:, 1:-1]
            + grid[1:-1, :-2]
            + grid[1:-1, 2:]
        )
    return grid
