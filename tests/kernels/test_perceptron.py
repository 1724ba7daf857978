"""One specification: every trainer learns what NumPy's own gradients do."""

import numpy as np
import pytest

from onthefly.kernels import perceptron
from onthefly.kernels.perceptron.perceptron_eager import Eager
from onthefly.kernels.perceptron.perceptron_function import Function, Loop
from onthefly.kernels.perceptron.perceptron_keras import Keras
from onthefly.kernels.perceptron.perceptron_numpy import Numpy
from onthefly.kernels.perceptron.perceptron_session import Session
from onthefly.kernels.perceptron.perceptron_torch import Torch

START = perceptron.start(3)
TRAINERS = [Eager, Function, Loop, Session, Keras, Torch]


def loss(weights, x, y):
    """The network once more, as plainly as can be."""
    w1, b1, w2, b2 = weights
    return np.mean((np.tanh(x @ w1 + b1) @ w2 + b2 - y) ** 2)


def test_the_gradients_by_hand_are_those_of_small_differences():
    x, y = (a[0].astype("float64") for a in perceptron.batches(1, 7, seed=5))
    trainer = Numpy(START, rate=1.0)
    before = [w.copy() for w in trainer.weights()]
    trainer.step(x, y)
    for k, w in enumerate(before):
        for place in np.ndindex(w.shape):
            ends = []
            for shift in (1e-6, -1e-6):
                moved = [v.copy() for v in before]
                moved[k][place] += shift
                ends.append(loss(moved, x, y))
            slope = (ends[0] - ends[1]) / 2e-6
            step = w[place] - trainer.weights()[k][place]
            assert step == pytest.approx(slope, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("trainer", TRAINERS)
@pytest.mark.parametrize("rows", [1, 32])
def test_a_trainer_learns_what_numpy_does(trainer, rows):
    x, y = perceptron.batches(12, rows, seed=4)
    reference, model = Numpy(START, 0.05), trainer(START, 0.05)
    for data in ((x, y), (x[:3], y[:3])):  # a second time, too
        reference.train(*data)
        model.train(*data)
    learned = model.weights()
    assert [w.shape for w in learned] == [*perceptron.SHAPES]
    assert perceptron.apart(learned, reference.weights()) < 1e-5
    assert perceptron.apart(START, reference.weights()) > 0.01
