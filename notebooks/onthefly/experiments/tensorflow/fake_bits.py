"""A small network in floats, with fake quantisation, and in whole numbers.

Quantisation puts numbers on a grid of 2^bits steps between two ends.  A
fake-quantised graph rounds to this grid and goes on in floats, so that it
can be trained.  Source of the method: Jacob et al., Quantization and
Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference,
https://arxiv.org/abs/1712.05877.
"""

import functools

import numpy as np

from onthefly.tools.quiet_tensorflow import tf

FEATURES, HIDDEN, CLASSES = 8, 24, 4
STEPS, RATE = 300, 0.02
TAIL = 2.0  # of the amounts, unless said otherwise
START = 4.0  # where the ends of a trained range begin


def data(seed, rows=1000, tail=TAIL):
    """Return (features, classes) of points drawn from a seed.

    tail  of the first feature, an amount: the logarithm's standard deviation

    float32 of shape (rows, FEATURES), int32 of shape (rows,).  The other
    features lie around the centre of their class, one unit wide.
    """
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(0).normal(size=(CLASSES, FEATURES))
    classes = rng.integers(CLASSES, size=rows)
    points = centres[classes] + rng.normal(size=(rows, FEATURES))
    points[:, 0] = rng.lognormal(sigma=tail, size=rows)
    return points.astype("f4"), classes.astype("i4")


def grid(low, high, bits=8):
    """Return (step, zero): a grid between two ends, on which 0 lies.

    zero  the whole number that stands for 0
    """
    step = (high - low) / (2**bits - 1)
    return step, round(-low / step)


def fake(x, low, high, bits):
    """Round to the grid between two ends, in floats; the gradient passes."""
    if not bits:
        return x
    rounded = tf.quantization.fake_quant_with_min_max_vars
    return rounded(x, low, high, num_bits=bits)


def weights_on_grid(weights, bits):
    """Return weights rounded to the grid between their least and greatest."""
    low, high = tf.reduce_min(weights), tf.reduce_max(weights)
    return fake(weights, low, high, bits)


def logits(model, x, bits=None):
    """Return the network's outputs, with every array on a grid of `bits`.

    model  {"in", "out": weights; "bias", "last": biases; "low", "high": ends
           of the features; "top": the greatest hidden value}
    bits   None: all in floats
    """
    x = fake(x, model["low"], model["high"], bits)
    hidden = tf.nn.relu(
        x @ weights_on_grid(model["in"], bits) + model["bias"]
    )
    hidden = fake(hidden, 0.0, model["top"], bits)
    return hidden @ weights_on_grid(model["out"], bits) + model["last"]


def untrained(seed):
    """Return a model before its training: see `logits`."""
    rng = np.random.default_rng(seed)
    return {
        "in": rng.normal(size=(FEATURES, HIDDEN), scale=0.3).astype("f4"),
        "bias": np.zeros(HIDDEN, "f4"),
        "out": rng.normal(size=(HIDDEN, CLASSES), scale=0.3).astype("f4"),
        "last": np.zeros(CLASSES, "f4"),
        "low": np.float32(-START),
        "high": np.float32(START),
        "top": np.float32(START),
    }


def _step(model, moments, squares, k, x, classes, bits):
    """Return the model and its moments after one step of Adam."""
    with tf.GradientTape() as tape:
        tape.watch(model)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
            classes, logits(model, x, bits)
        )
        loss = tf.reduce_mean(losses)
    slopes = tape.gradient(loss, model, unconnected_gradients="zero")
    each = tf.nest.map_structure
    moments = each(lambda m, s: 0.9 * m + 0.1 * s, moments, slopes)
    squares = each(lambda v, s: 0.99 * v + 0.01 * s * s, squares, slopes)
    rate = RATE * tf.sqrt(1 - 0.99**k) / (1 - 0.9**k)
    model = each(
        lambda p, m, v: p - rate * m / (tf.sqrt(v) + 1e-7),
        model,
        moments,
        squares,
    )
    return model, moments, squares


@functools.cache
def _training(bits):
    """Return the graph that trains with `bits`; one for all seeds."""

    @tf.function(autograph=False)
    def run(model, x, classes):
        zeros = tf.nest.map_structure(tf.zeros_like, model)

        def body(k, *state):
            return k + 1, *_step(*state, k, x, classes, bits)

        _, model, *_ = tf.while_loop(
            lambda k, *_: k <= STEPS,
            body,
            (tf.constant(1.0), model, zeros, zeros),
        )
        return model

    return run


@functools.cache
def trained(seed, bits=None, tail=TAIL):
    """Return a model, trained in floats or with fake quantisation.

    seed  of its data and of its first weights
    bits  None: in floats; its ends are then the greatest and least values
          that it saw, as quantisation after training takes them
    """
    x, classes = data(seed, tail=tail)
    weights = _training(bits)(
        tf.nest.map_structure(tf.constant, untrained(seed)), x, classes
    )
    model = {name: value.numpy() for name, value in weights.items()}
    return model if bits else with_ends(model, x)


def with_ends(model, x, share=1.0):
    """Return a model whose ends are those of what it sees.

    share  of the values that shall lie between them; 1: all
    """
    hidden = np.maximum(x @ model["in"] + model["bias"], 0)
    rest = (1 - share) / 2
    low, high = np.quantile(x, [rest, 1 - rest])
    top = np.quantile(hidden, 1 - rest)
    ends = {"low": min(low, 0), "high": high, "top": top}
    return model | {name: np.float32(end) for name, end in ends.items()}


def loss_afterwards(seed, tail):
    """Return the accuracy that eight bits cost, quantised afterwards."""
    model = trained(seed, tail=tail)
    return accuracy(model, seed, tail=tail) - accuracy(model, seed, 8, tail)


def accuracy(model, seed, bits=None, tail=TAIL):
    """Return the share of unseen points whose class is found."""
    x, classes = data(10_000 + seed, rows=4000, tail=tail)
    predicted = logits(model, tf.constant(x), bits).numpy().argmax(axis=1)
    return float(np.mean(predicted == classes))


def whole(x, low, high):
    """Return (whole numbers 0 to 255, step, zero) of an array."""
    step, zero = grid(low, high)
    return np.clip(np.rint(x / step) + zero, 0, 255).astype("u1"), step, zero


def product(a, b):
    """Multiply two matrices of eight-bit numbers, in whole numbers alone."""
    (x, x_step, x_zero), (y, y_step, y_zero) = a, b
    sums = (x.astype("i4") - x_zero) @ (y.astype("i4") - y_zero)
    return sums * (x_step * y_step)


def logits_whole(model, x):
    """Return the network's outputs from products of eight-bit numbers."""
    inner, outer = (
        whole(w, w.min(), w.max()) for w in (model["in"], model["out"])
    )
    x = whole(x, model["low"], model["high"])
    hidden = np.maximum(product(x, inner) + model["bias"], 0)
    hidden = whole(hidden, 0.0, model["top"])
    return product(hidden, outer) + model["last"]
