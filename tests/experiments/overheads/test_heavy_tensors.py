"""Heavy functions of two libraries, and their overhead."""

import numpy as np
import pytest

from onthefly.experiments.overheads import heavy_tensors


@pytest.mark.parametrize("function", heavy_tensors.FUNCTIONS)
def test_heavy_functions_agree_with_numpy(function):
    array = heavy_tensors.heavy_input(function, 16)
    expected = {
        "FFT": lambda x: np.fft.fft(x),
        "matmul": lambda x: x @ x,
        "solve": lambda x: np.linalg.solve(x, x[:, :1]),
    }[function](array)
    jobs, sizes = heavy_tensors.heavy_jobs({function: [16]})
    assert set(jobs) == set(sizes)
    for kit in heavy_tensors.KITS:
        name = f"{kit} {function}"
        assert np.allclose(jobs[name](16), expected, atol=1e-4)
        there = jobs[f"{name}, resident"](16).numpy()
        assert np.allclose(there, expected, atol=1e-4)
