"""Sweeps over a grid, a band of its rows in each task of Dask."""

import dask.array as da

from onthefly.kernels.pools import usable
from onthefly.kernels.stencil import SWEEPS
from onthefly.kernels.stencil.stencil_numpy import stencil_numpy


def stencil_dask(grid, workers=None):
    """Return the grid after the sweeps, float64 of the same shape.

    grid  float64 of two dimensions; it is not changed

    Each task sees SWEEPS rows of its neighbours, so that it need not wait for
    them between sweeps.
    """
    workers = usable(workers)
    depth = min(SWEEPS, len(grid))
    height = max(depth, -(-len(grid) // workers))
    bands = da.from_array(grid, chunks=(height, -1))
    swept = bands.map_overlap(
        stencil_numpy, depth=(depth, 0), boundary="none", meta=grid[:0, :0]
    )
    return swept.compute(scheduler="threads", num_workers=workers)
