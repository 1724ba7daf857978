"""The small network trained by NumPy: its gradients are worked out by hand.

In float64: what the others, in float32, are compared with.
"""

import numpy as np

from onthefly.kernels.perceptron import RATE


class Numpy:
    """A trainer: see perceptron.

    weights  arrays of perceptron.SHAPES
    rate     of learning
    """

    def __init__(self, weights, rate=RATE):
        self._weights = [w.astype("float64") for w in weights]
        self._rate = rate

    def step(self, x, y):
        """Take one step down; x and y are one batch."""
        w1, b1, w2, b2 = self._weights
        hidden = np.tanh(x @ w1 + b1)
        error = 2 * (hidden @ w2 + b2 - y) / len(x)
        behind = (error @ w2.T) * (1 - hidden**2)
        gradients = (
            x.T @ behind, behind.sum(0), hidden.T @ error, error.sum(0)
        )  # fmt: skip
        for w, gradient in zip(self._weights, gradients, strict=True):
            w -= self._rate * gradient

    def train(self, x, y):
        """Take a step for each batch of x and y."""
        for pair in zip(x, y, strict=True):
            self.step(*pair)

    def weights(self):
        """Return the weights as arrays."""
        return self._weights
