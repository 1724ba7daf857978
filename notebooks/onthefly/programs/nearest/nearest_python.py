"""The nearest points: two loops."""

import math
import sys


def search(queries, points):
    indices, distances = [], []
    for qx, qy, qz in queries:
        least, index = math.inf, -1
        for k, (x, y, z) in enumerate(points):
            dx, dy, dz = x - qx, y - qy, z - qz
            square = dx * dx + dy * dy + dz * dz
            if square < least:
                least, index = square, k
        indices.append(index)
        distances.append(math.sqrt(least))
    return indices, distances


def nearest_python(queries, points):
    """Return the index of the nearest point of each query, and how far."""
    return search(queries.tolist(), points.tolist())


if __name__ == "__main__":
    from onthefly.programs import nearest

    nearest_python(*nearest.data(int(sys.argv[1])))
