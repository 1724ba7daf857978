"""Eager execution: tapes, digits, and a model in a graph."""

import numpy as np
import pytest

pytest.importorskip("tensorflow")

from onthefly.experiments.tensorflow import (
    model_child,
    taped,
    unstable,
)
from onthefly.kernels import perceptron
from onthefly.kernels.perceptron.perceptron_eager import predict


def test_a_tape_plays_back_what_ran():
    noted, gradient = taped.follow(3)  # 10, 5, 16, 8, 4, 2, 1
    assert noted.ran.count("triple, add one") == 2
    assert noted.played == noted.ran[::-1]
    assert gradient == 9 / 32 and taped.as_said(27)


def test_right_digits_are_counted():
    right = np.array([1.0, 1.0, 1.0, 1.0])
    values = np.array([1.0, 1.001, 0.0, np.nan], np.float32)
    digits = unstable.digits(values, right)
    assert digits == pytest.approx([7.2, 3.0, 0, 0], abs=0.1)


def test_a_model_says_the_same_in_a_graph():
    weights, (batches, _) = perceptron.start(1), perceptron.batches(3)
    answers, kinds = model_child.predictions(weights, batches)
    for x, there in zip(batches, answers, strict=True):
        assert np.allclose(predict(weights, x), there, rtol=1e-5)
    assert kinds.count("MatMul") == 2
