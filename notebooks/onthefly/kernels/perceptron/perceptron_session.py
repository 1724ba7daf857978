"""The small network trained as in TensorFlow 1: a graph, run by a Session."""

from onthefly.kernels.perceptron import INPUTS, RATE
from onthefly.kernels.perceptron.perceptron_eager import loss
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1


def build(weights, rate):
    """Add the network to the graph that is the default one.

    Returns the placeholders of a batch, the variables, and the operation
    that takes a step.
    """
    x = v1.placeholder(tf.float32, [None, INPUTS])
    y = v1.placeholder(tf.float32, [None, 1])
    variables = [v1.Variable(w, use_resource=True) for w in weights]
    optimizer = v1.train.GradientDescentOptimizer(rate)
    step = optimizer.minimize(loss(variables, x, y), var_list=variables)
    return x, y, variables, step


class Session:
    """A trainer: see perceptron.

    weights  arrays of perceptron.SHAPES
    rate     of learning
    """

    def __init__(self, weights, rate=RATE):
        with tf.Graph().as_default() as graph:
            self._x, self._y, self._variables, self._step = build(
                weights, rate
            )
            start = v1.global_variables_initializer()
        self._session = v1.Session(graph=graph)
        self._session.run(start)

    def train(self, x, y):
        """Take a step for each batch of x and y."""
        for xs, ys in zip(x, y, strict=True):
            self._session.run(self._step, {self._x: xs, self._y: ys})

    def weights(self):
        """Return the weights as arrays."""
        return self._session.run(self._variables)
