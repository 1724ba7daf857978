"""What code for arrays moves, as it is counted, against sums by hand."""

import numpy as np
import pytest

from onthefly.errors import UserError
from onthefly.experiments.choice.traffic import counted
from onthefly.kernels.polynomial.polynomial_numpy import polynomial_numpy

N = 1000
X, Y = np.random.default_rng(3).random((2, N))


def per_element(function, *data):
    traffic = counted(function, *data)
    return traffic.flops / N, traffic.bytes / N


def shifted(x):
    result = np.empty_like(x)
    result[:] = 0.5 * x
    return result


def into(x):
    x *= 2.0
    return np.sqrt(x, out=x)


@pytest.mark.parametrize(
    ("function", "data", "flops", "moved"),
    [
        (lambda x: 2.0 * x, (X,), 1, 16),
        (lambda x, y: x + y, (X, Y), 1, 24),
        (lambda x, y: (x * y).sum(), (X, Y), 2, 32),
        (lambda x: 2.0 * x[: N // 2], (X,), 0.5, 8),
        (lambda x: x.copy(), (X,), 0, 16),
        (lambda x: x < 0.5, (X,), 0, 9),
        (shifted, (X,), 1, 32),
        (into, (X,), 2, 32),
        (polynomial_numpy, (X,), 6, 112),
    ],
)
def test_operations_and_bytes_an_element(function, data, flops, moved):
    assert per_element(function, *data) == pytest.approx((flops, moved))


def test_the_arrays_given_stay_as_they_are():
    before = X.copy()
    counted(into, X)
    assert np.array_equal(X, before)


def test_a_function_that_cannot_be_counted_is_refused():
    with pytest.raises(UserError, match=r"dot: .*repair: "):
        counted(np.dot, X, Y)
