"""The small network trained by TensorFlow, eagerly, with a GradientTape."""

from onthefly.kernels.perceptron import RATE
from onthefly.tools.quiet_tensorflow import tf


def predict(weights, x):
    """Return what the network says of a batch, rows by 1, a tensor.

    weights, x  as of `loss`
    """
    w1, b1, w2, b2 = weights
    hidden = tf.tanh(tf.matmul(x, w1) + b1)
    return tf.matmul(hidden, w2) + b2


def loss(weights, x, y):
    """Return the mean squared error of one batch, a tensor.

    weights  arrays, tensors or variables of perceptron.SHAPES
    x, y     a batch: float32, rows by numbers
    """
    return tf.reduce_mean(tf.square(predict(weights, x) - y))


def descend(weights, x, y, rate):
    """Take one step down; arguments as of `loss`, the weights variables."""
    with tf.GradientTape() as tape:
        error = loss(weights, x, y)
    gradients = tape.gradient(error, weights)
    for w, gradient in zip(weights, gradients, strict=True):
        w.assign_sub(rate * gradient)


class Eager:
    """A trainer: see perceptron.

    weights  arrays of perceptron.SHAPES
    rate     of learning
    """

    def __init__(self, weights, rate=RATE):
        self.variables, self.rate = [*map(tf.Variable, weights)], rate

    def step(self, x, y):
        """Take one step down; x and y are one batch."""
        descend(self.variables, x, y, self.rate)

    def train(self, x, y):
        """Take a step for each batch of x and y."""
        for pair in zip(x, y, strict=True):
            self.step(*pair)

    def weights(self):
        """Return the weights as arrays."""
        return [v.numpy() for v in self.variables]
