"""Sums under a limit of memory."""

import pytest

pytest.importorskip("dask")

from onthefly.experiments.dask import beyond_memory


@pytest.mark.slow
def test_dask_sums_what_numpy_cannot_hold():
    assert beyond_memory.tried(2**29) == {"NumPy": False, "Dask": True}
