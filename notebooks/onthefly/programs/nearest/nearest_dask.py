"""The nearest points: blocks of queries, in Dask's threads."""

import dask
import numpy as np

from onthefly.programs.nearest.nearest_blocks import blocks
from onthefly.programs.nearest.nearest_broadcast import nearest_broadcast


def nearest_dask(queries, points):
    """Return the index of the nearest point of each query, and how far."""
    task = dask.delayed(nearest_broadcast)
    tasks = [task(block, points) for block in blocks(queries, points)]
    parts = dask.compute(*tasks, scheduler="threads")
    indices, distances = zip(*parts, strict=True)
    return np.concatenate(indices), np.concatenate(distances)
