"""A sum of products, by threads of the device that add up block by block."""

import numpy as np
from numba import cuda, float64  # the simulator looks for `cuda`

from onthefly.kernels.launches import THREADS, blocks, each

PRODUCTS = 16  # of a thread, so that few blocks meet at the total


@cuda.jit
def clear(total):
    """Set the total to 0."""
    total[0] = 0.0


@cuda.jit
def products(x, y, total):
    """Add the products in each thread, then in each block, then to all.

    A block has THREADS threads, a power of two.
    """
    cells = cuda.shared.array(THREADS, float64)
    i, mine = cuda.threadIdx.x, 0.0
    for k in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        mine += x[k] * y[k]
    cells[i] = mine
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if i < half:
            cells[i] += cells[i + half]
        cuda.syncthreads()
        half //= 2
    if i == 0:
        cuda.atomic.add(total, 0, cells[0])


def dot_cuda(x, y):
    """Return the sum of the products, an array of one number on the device.

    x, y  arrays on the device, float64 of shape (n,)
    """
    total = cuda.device_array(1, np.float64)
    clear[1, 1](total)
    each(products, blocks(x.size, PRODUCTS), x, y, total)
    return total
