"""The nearest points: a k-d tree, a better algorithm."""

from scipy.spatial import KDTree


def nearest_tree(queries, points, workers=1):
    """Return the index of the nearest point of each query, and how far."""
    distances, indices = KDTree(points).query(queries, workers=workers)
    return indices, distances
