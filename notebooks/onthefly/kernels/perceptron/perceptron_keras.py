"""The small network trained by Keras: layers, an optimiser, `fit`."""

from onthefly.kernels.perceptron import HIDDEN, INPUTS, RATE
from onthefly.tools.quiet_tensorflow import tf


def build(rate):
    """Return the network as a Keras model, ready for `fit`."""
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Input([INPUTS]),
        layers.Dense(HIDDEN, activation="tanh"),
        layers.Dense(1),
    ])  # fmt: skip
    model.compile(tf.keras.optimizers.SGD(rate), loss="mse")
    return model


class Keras:
    """A trainer: see perceptron.

    weights  arrays of perceptron.SHAPES
    rate     of learning
    """

    def __init__(self, weights, rate=RATE):
        self._model = build(rate)
        self._model.set_weights(weights)

    def train(self, x, y):
        """Take a step for each batch of x and y."""
        rows = x.shape[1]
        data = (a.reshape(-1, a.shape[-1]) for a in (x, y))
        self._model.fit(*data, batch_size=rows, shuffle=False, verbose=0)

    def weights(self):
        """Return the weights as arrays."""
        return self._model.get_weights()
