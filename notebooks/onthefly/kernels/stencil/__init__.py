"""Jacobi's sweeps over a grid: each inner cell becomes the mean of its
four neighbours, all at once, and the border stays as it is.

A sweep reads what the one before it wrote.  Source: Saad, Iterative Methods
for Sparse Linear Systems, 2003, section 4.1.
"""

import math

SWEEPS = 10


def data(n, seed=0):
    """Return the arguments of each way: a grid of about n cells, float64.

    It is nearly square, with sides of at least 3.
    """
    import numpy as np

    rows = max(3, math.isqrt(n))
    columns = max(3, round(n / rows))
    return (np.random.default_rng(seed).random((rows, columns)),)


def bands(grid, workers):
    """Return [(band, rows)]: the rows of a grid for so many workers.

    band  slice of the grid: the worker's rows, and SWEEPS more to each side.
          Rows near its ends come out wrong, by one row more with each sweep,
          so that the worker's own are right without asking a neighbour
    rows  slice of the band: the worker's own rows
    """
    from onthefly.kernels.pools import parts

    pairs = []
    for part in parts(range(len(grid)), workers):
        above = min(SWEEPS, part.start)
        band = grid[part.start - above : part.stop + SWEEPS]
        pairs.append((band, slice(above, above + len(part))))
    return pairs
