"""The small network trained by graphs, which tf.function makes."""

from onthefly.kernels.perceptron import RATE
from onthefly.kernels.perceptron.perceptron_eager import Eager, descend
from onthefly.tools.quiet_tensorflow import tf


def descend_all(weights, x, y, rate):
    """Take a step down for each batch; `perceptron_eager.descend` takes one.

    The loop is one of the graph, by tf.range: Python's zip would write out
    every step.
    """
    for k in tf.range(len(x)):
        descend(weights, x[k], y[k], rate)


class Function(Eager):
    """A trainer whose step is one call of a graph: see perceptron."""

    def __init__(self, weights, rate=RATE):
        super().__init__(weights, rate)
        self.step = tf.function(self.step)


class Loop(Eager):
    """A trainer whose steps are one call of a graph, all of them."""

    def __init__(self, weights, rate=RATE):
        super().__init__(weights, rate)
        self.train = tf.function(self.train)

    def train(self, x, y):
        """Take a step for each batch of x and y."""
        descend_all(self.variables, x, y, self.rate)
