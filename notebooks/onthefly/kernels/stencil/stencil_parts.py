"""Sweeps over a grid of lists, a band of rows in each thread or process."""

from onthefly.kernels.pools import threads, usable
from onthefly.kernels.stencil import bands
from onthefly.kernels.stencil.stencil_python import stencil_python


def stencil_parts(grid, pool=threads, workers=None):
    """Return the grid after the sweeps, as a list of lists of one length.

    grid  list of lists of one length; it is not changed
    pool  function of the workers: pools.threads or pools.processes
    """
    workers = usable(workers)
    shares, rows = zip(*bands(grid, workers), strict=True)
    done = pool(workers).map(stencil_python, shares)
    return [
        row for band, own in zip(done, rows, strict=True) for row in band[own]
    ]
