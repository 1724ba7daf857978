"""Heat on a grid: the compiled loops, and all cores share the rows."""

import numba


@numba.njit(parallel=True)
def sweep(before, after):
    rows, columns = before.shape
    for i in numba.prange(1, rows - 1):
        for j in range(1, columns - 1):
            after[i, j] = 0.2 * (
                before[i, j]
                + before[i - 1, j]
                + before[i + 1, j]
                + before[i, j - 1]
                + before[i, j + 1]
            )


def heat_prange(grid, sweeps):
    """Return the grid after so many sweeps."""
    before, after = grid.copy(), grid.copy()
    for _ in range(sweeps):
        sweep(before, after)
        before, after = after, before
    return before
