"""Sweeps over a grid, by a thread of the device for each cell and sweep."""

from numba import cuda  # the simulator looks for this name

from onthefly.kernels.launches import blocks
from onthefly.kernels.stencil import SWEEPS

THREADS = 32, 8  # of a block: columns, so that a warp reads a row, and rows


@cuda.jit
def sweep(old, new):
    """Each thread writes the mean of its inner cell's four neighbours."""
    j, i = cuda.grid(2)
    if 0 < i < old.shape[0] - 1 and 0 < j < old.shape[1] - 1:
        new[i, j] = 0.25 * (
            old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1]
        )


@cuda.jit
def copy(source, one, other):
    """Each thread copies a cell to both of two grids."""
    j, i = cuda.grid(2)
    if i < source.shape[0] and j < source.shape[1]:
        one[i, j] = source[i, j]
        other[i, j] = source[i, j]


def stencil_cuda(grid):
    """Return the grid after SWEEPS sweeps; that given stays as it is.

    grid  array on the device, float64 of shape (rows, columns)
    """
    rows, columns = grid.shape
    launch = (blocks(columns, THREADS[0]), blocks(rows, THREADS[1])), THREADS
    old, new = cuda.device_array_like(grid), cuda.device_array_like(grid)
    copy[launch](grid, old, new)
    for _ in range(SWEEPS):
        sweep[launch](old, new)
        old, new = new, old
    cuda.synchronize()
    return old
