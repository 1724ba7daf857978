"""Heat on a grid: the two loops of Python, compiled by Numba."""

import numba


@numba.njit(nogil=True)
def sweep(before, after):
    rows, columns = before.shape
    for i in range(1, rows - 1):
        for j in range(1, columns - 1):
            after[i, j] = 0.2 * (
                before[i, j]
                + before[i - 1, j]
                + before[i + 1, j]
                + before[i, j - 1]
                + before[i, j + 1]
            )


def heat_numba(grid, sweeps):
    """Return the grid after so many sweeps."""
    before, after = grid.copy(), grid.copy()
    for _ in range(sweeps):
        sweep(before, after)
        before, after = after, before
    return before
