"""The nearest points: some queries at once, in turn, by NumPy."""

import numpy as np

from onthefly.programs.nearest.nearest_broadcast import nearest_broadcast

PAIRS = 500_000  # in a block, whose differences take 12 MB


def blocks(queries, points, pairs=PAIRS):
    """Return the queries in blocks of about so many pairs."""
    rows = max(1, pairs // len(points))
    return [queries[k : k + rows] for k in range(0, len(queries), rows)]


def nearest_blocks(queries, points):
    """Return the index of the nearest point of each query, and how far."""
    parts = [nearest_broadcast(b, points) for b in blocks(queries, points)]
    indices, distances = zip(*parts, strict=True)
    return np.concatenate(indices), np.concatenate(distances)
