"""The nearest points: blocks of queries, in a pool of threads."""

import functools

import numpy as np

from onthefly.kernels.pools import threads, usable
from onthefly.programs.nearest.nearest_blocks import blocks
from onthefly.programs.nearest.nearest_broadcast import nearest_broadcast


def nearest_threads(queries, points):
    """Return the index of the nearest point of each query, and how far."""
    one = functools.partial(nearest_broadcast, points=points)
    parts = threads(usable(None)).map(one, blocks(queries, points))
    indices, distances = zip(*parts, strict=True)
    return np.concatenate(indices), np.concatenate(distances)
