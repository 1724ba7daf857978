"""Heat on a grid: NumPy adds in one array that is made once."""

import numpy as np


def heat_buffers(grid, sweeps):
    """Return the grid after so many sweeps."""
    grid = grid.copy()
    inner = grid[1:-1, 1:-1]
    sums = np.empty(inner.shape)  # contiguous, unlike inner
    for _ in range(sweeps):
        np.add(inner, grid[:-2, 1:-1], out=sums)
        np.add(sums, grid[2:, 1:-1], out=sums)
        np.add(sums, grid[1:-1, :-2], out=sums)
        np.add(sums, grid[1:-1, 2:], out=sums)
        np.multiply(sums, 0.2, out=inner)
    return grid
