"""Heat on a grid: two loops over lists of lists."""

import sys

import numpy as np


def sweep(grid):
    new = [row.copy() for row in grid]
    for i in range(1, len(grid) - 1):
        for j in range(1, len(grid[0]) - 1):
            new[i][j] = 0.2 * (
                grid[i][j]
                + grid[i - 1][j]
                + grid[i + 1][j]
                + grid[i][j - 1]
                + grid[i][j + 1]
            )
    return new


def heat_python(grid, sweeps):
    """Return the grid after so many sweeps."""
    grid = grid.tolist()
    for _ in range(sweeps):
        grid = sweep(grid)
    return np.array(grid)


if __name__ == "__main__":
    from onthefly.programs import heat

    rows, sweeps = map(int, sys.argv[1:])
    print(heat_python(heat.picture(rows), sweeps).mean())
