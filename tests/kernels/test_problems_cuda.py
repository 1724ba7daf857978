"""The problems' CUDA kernels, in Numba's simulator, against the processor."""

import numpy as np
import pytest

RNG = np.random.default_rng(14)


def on_device(sim, problem, *data):
    """Return what a problem's way for a device makes of its data.

    None of them may change what it is given.
    """
    name = f"{problem}_cuda"
    result, after = sim.result(
        (f"onthefly.kernels.{name.split(chr(95))[0]}.{name}", name), *data
    )
    for given, left in zip(data, after, strict=True):
        assert np.array_equal(given, left)
    return result


@pytest.mark.parametrize("n", [1, 2, 300])
def test_polynomial(sim, n):
    x = RNG.random(n)
    result = on_device(sim, "polynomial", x)
    assert np.allclose(result, 2 * x**3 + 3 * x**2 - 5 * x + 7)


@pytest.mark.parametrize("n", [1, 255, 256, 4097])
def test_dot_takes_any_length(sim, n):
    x, y = RNG.random((2, n))
    result = on_device(sim, "dot", x, y)
    assert result.shape == (1,) and np.allclose(result, np.dot(x, y))


@pytest.mark.parametrize("shape", [(3, 3), (9, 40), (20, 20)])
def test_stencil_takes_grids_of_any_shape(sim, shape):
    from onthefly.kernels.stencil import SWEEPS

    grid = RNG.random(shape)
    want = grid.copy()
    for _ in range(SWEEPS):
        sums = want[:-2, 1:-1] + want[2:, 1:-1]
        sums += want[1:-1, :-2] + want[1:-1, 2:]
        want[1:-1, 1:-1] = sums / 4
    assert np.allclose(on_device(sim, "stencil", grid), want)


@pytest.mark.parametrize(("n", "bins"), [(1, 1), (300, 300), (300, 2)])
def test_histogram_loses_no_number(sim, n, bins):
    values = RNG.integers(0, bins, n)
    result = on_device(sim, "histogram", values, bins)
    assert result.dtype == np.int64
    assert result.tolist() == np.bincount(values, minlength=bins).tolist()


def test_collatz(sim):
    result = on_device(sim, "collatz", np.array([1, 2, 7, 27]))
    assert result.tolist() == [0, 1, 16, 111]
