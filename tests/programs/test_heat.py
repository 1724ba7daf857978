"""The worked program of heat on a grid: all versions find the same."""

import importlib

import numpy as np
import pytest
from scipy import sparse

from onthefly.kernels import ahead
from onthefly.measure.libraries import LIBRARIES
from onthefly.programs import heat

VERSIONS = [
    "python", "numpy", "buffers", "scipy", "numba", "stencil", "prange",
    "cython", "jax",
]  # fmt: skip


def version(name):
    if name in LIBRARIES and not LIBRARIES[name].here():
        pytest.skip(f"{LIBRARIES[name].name} is missing")
    if name == "cython" and ahead.missing("cython"):
        pytest.skip(ahead.missing("cython"))
    home = f"onthefly.programs.heat.heat_{name}"
    return getattr(importlib.import_module(home), f"heat_{name}")


def expected(grid, sweeps):
    """Return the grid after multiplying it by the matrix of a sweep."""
    rows, columns = grid.shape
    inner = np.zeros(grid.shape, bool)
    inner[1:-1, 1:-1] = True
    at = np.flatnonzero(inner)
    step = sparse.lil_array((grid.size, grid.size))
    step.setdiag(np.where(inner, 0.2, 1.0).ravel())
    for way in (-columns, -1, 1, columns):
        step[at, at + way] = 0.2
    step, flat = step.tocsr(), grid.ravel()
    for _ in range(sweeps):
        flat = step @ flat
    return flat.reshape(rows, columns)


@pytest.mark.parametrize("name", VERSIONS)
@pytest.mark.parametrize("shape", [(3, 3), (12, 31), (40, 17)])
@pytest.mark.parametrize("sweeps", [0, 1, 7])
def test_every_version_sweeps_by_the_matrix(name, shape, sweeps):
    grid = heat.picture(*shape)
    given = grid.copy()
    found = version(name)(grid, sweeps)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected(grid, sweeps), rtol=1e-12)
    np.testing.assert_array_equal(grid, given)


def test_float32_is_the_same_but_for_rounding():
    grid = heat.picture(40, 17)
    found = version("float32")(grid, 7)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected(grid, 7), rtol=1e-5)


def test_the_picture_is_grey_and_cropped_in_the_middle():
    whole = heat.picture()
    assert whole.shape == (heat.ROWS, heat.COLUMNS)
    assert 0 <= whole.min() < whole.max() <= 255
    np.testing.assert_array_equal(heat.picture(200), whole[200:400])
    assert heat.square(700).shape == (700, 700)
    assert len(heat.rows(5)) == 5
