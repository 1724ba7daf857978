"""Five questions to a loop, and the loops of which each has one trait."""

import numpy as np
import pytest

from onthefly.experiments.choice import questions
from onthefly.experiments.choice import trait_loops as loops
from onthefly.experiments.choice.questions import same_in_halves
from onthefly.kernels.polynomial.polynomial_numpy import polynomial_numpy
from onthefly.measure.quantity import Quantity

X = np.random.default_rng(4).random(2000)


def test_smoothing_and_its_cut():
    expected = [X[0]]
    for v in X[1:]:
        expected.append(0.9 * expected[-1] + 0.1 * v)
    assert np.allclose(loops.smooth(X), expected)
    assert np.allclose(loops.cut(X)[1:], 0.9 * X[:-1] + 0.1 * X[1:])


def test_cubics_and_counts():
    y = np.empty_like(X)
    loops.cubic(X, y)
    assert np.allclose(y, polynomial_numpy(X))
    expected = X
    for _ in range(20):
        expected = ((2.0 * expected - 3.0) * expected + 1.0) * expected + 0.5
    loops.many_cubics(X, y)
    assert np.allclose(y, expected) and y.min() > 0 and y.max() < 1
    values, counts = (10 * X).astype(int), np.zeros(10, np.int64)
    loops.count(values, counts)
    assert np.array_equal(counts, np.bincount(values, minlength=10))


@pytest.mark.parametrize(
    ("function", "same"),
    [(polynomial_numpy, True), (loops.smooth, False), (np.cumsum, False)],
)
def test_what_is_the_same_in_halves_is_no_chain(function, same):
    assert same_in_halves(function, X) == same


def test_two_sizes_show_what_is_fixed():
    short, long = (Quantity.exact(5 + 0.1 * n, "s") for n in (10, 1000))
    fixed, each = questions.fixed_and_each(short, long)
    assert (fixed.value, each.value) == pytest.approx((5, 0.1))
