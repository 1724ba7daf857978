"""Heavy functions of two libraries, and their overhead."""

import numpy as np
import pytest

from onthefly.experiments.overheads import heavy_tensors
from onthefly.quantity import EXAMPLE
from onthefly.timings import Series, Timings


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


def test_overhead_is_all_but_the_work():
    """The work of a size is what it takes beyond the smallest."""
    seconds = {
        "TF matmul": {8: 3.0, 32: 10.0},
        "TF matmul, resident": {8: 1.0, 32: 6.0},
    }
    times = Timings(
        [
            Series(name, n, None, (value,) * 6)
            for name, points in seconds.items()
            for n, value in points.items()
        ],
        origin=EXAMPLE,
    )
    overhead = heavy_tensors.overhead(times, "TF matmul")
    assert list(overhead) == [32 * 32]
    assert overhead[1024].value == pytest.approx(1 - (6 - 1) / 10)
    assert overhead[1024].origin == EXAMPLE
