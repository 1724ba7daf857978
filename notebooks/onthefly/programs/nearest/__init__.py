"""For each query point the nearest of many points, and how far it is.

The points are uniform in the unit cube, drawn by a seeded generator.  No two
of them are equally far from a query, but for a chance that can be neglected.
"""

import numpy as np


def data(queries, points=None, dimensions=3, offset=0.0):
    """Return the query points and the points, as arrays of rows.

    points  how many; by default as many as queries
    offset  of the cube, along each axis
    """
    draw = np.random.default_rng(2018)
    points = points or queries
    made = draw.random((queries + points, dimensions)) + offset
    return made[:queries], made[queries:]


def rows(queries):
    """Return as many queries as points, as lists of lists."""
    return tuple(each.tolist() for each in data(queries))
