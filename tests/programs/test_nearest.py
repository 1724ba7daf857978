"""The worked program of nearest points: all versions find the same."""

import importlib
import math

import numpy as np
import pytest

from onthefly.measure.libraries import LIBRARIES
from onthefly.programs import nearest

VERSIONS = [
    "python", "numpy", "broadcast", "blocks", "blas", "cdist", "tree",
    "numba", "prange", "threads", "dask",
]  # fmt: skip


def expected(queries, points):
    """Return the nearest points by the distances of the standard library."""
    indices, distances = [], []
    for query in queries.tolist():
        far = [math.dist(query, point) for point in points.tolist()]
        distances.append(min(far))
        indices.append(far.index(min(far)))
    return indices, distances


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("m", "n"), [(1, 7), (60, 1), (70, 300)])
def test_every_version_finds_the_nearest(version, m, n):
    if version in LIBRARIES and not LIBRARIES[version].here():
        pytest.skip(f"{LIBRARIES[version].name} is missing")
    name = f"nearest_{version}"
    module = importlib.import_module(f"onthefly.programs.nearest.{name}")
    queries, points = nearest.data(m, n)
    indices, distances = getattr(module, name)(queries, points)
    assert len(indices) == len(distances) == m
    want_indices, want_distances = expected(queries, points)
    assert list(indices) == want_indices
    np.testing.assert_allclose(distances, want_distances, rtol=1e-9)


def test_blocks_are_all_queries_in_order():
    from onthefly.programs.nearest.nearest_blocks import blocks

    queries, points = nearest.data(70, 300)
    parts = blocks(queries, points, pairs=1000)
    assert [len(part) for part in parts] == [3] * 23 + [1]
    np.testing.assert_array_equal(np.concatenate(parts), queries)


def test_the_product_is_wrong_far_from_the_origin():
    from onthefly.programs.nearest.nearest_blas import nearest_blas

    queries, points = nearest.data(70, 300, offset=1e7)
    want, _ = expected(queries, points)
    assert list(nearest_blas(queries, points)[0]) != want
    centre = points.mean(axis=0)
    assert list(nearest_blas(queries - centre, points - centre)[0]) == want
