"""Sweeps over a grid of lists, by the interpreter's loops."""

from onthefly.kernels.stencil import SWEEPS


def stencil_python(grid):
    """Return the grid after the sweeps, as a list of lists of one length.

    grid  list of lists of one length; it is not changed
    """
    before = [row[:] for row in grid]
    after = [row[:] for row in grid]
    for _ in range(SWEEPS):
        for i in range(1, len(grid) - 1):
            above, row, below = before[i - 1 : i + 2]
            new = after[i]
            for j in range(1, len(row) - 1):
                new[j] = 0.25 * (
                    above[j] + below[j] + row[j - 1] + row[j + 1]
                )
        before, after = after, before
    return before
