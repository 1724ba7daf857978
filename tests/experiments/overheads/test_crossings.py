"""From arrays into tensors, and out again."""

import numpy as np
import pytest

from onthefly.experiments.overheads import crossings


@pytest.mark.parametrize(
    ("name", "library"), [("TF", "tensorflow"), ("torch", "torch")]
)
def test_an_addition_crosses_and_returns(name, library):
    pytest.importorskip(library)
    arrays = {n: np.arange(n, dtype=np.float32) for n in (2, 5)}
    crossing = crossings.Crossing(name, arrays)
    calls = crossings.ways(
        {name: crossing}, "into", "out", "resident", "whole", "in_turn"
    )
    for n, array in arrays.items():
        assert np.array_equal(calls[f"{name} into"](n), array)
        assert np.array_equal(calls[f"{name} out"](n), array)
        assert np.array_equal(calls[f"{name} resident"](n), array + 1)
        assert np.array_equal(calls[f"{name} whole"](n), array + 1)
        assert isinstance(calls[f"{name} whole"](n), np.ndarray)
        assert calls[f"{name} in turn"](n) is None
