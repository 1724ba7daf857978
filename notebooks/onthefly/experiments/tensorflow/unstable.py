"""The slope of log(1 + e^x), which is 1 / (1 + e^-x), in three ways.

Source of the first two: Monga, TensorFlow Research at Scale.
"""

import numpy as np

from onthefly.experiments.tensorflow import taped
from onthefly.tools.quiet_tensorflow import tf


def log1pexp(x):
    """Return log(1 + e^x) as one writes it down."""
    return tf.math.log(1 + tf.exp(x))


@tf.custom_gradient
def log1pexp_custom(x):
    """Return the same, with the slope that the talk gave it."""
    e = tf.exp(x)

    def grad(dy):
        return dy * (1 - 1 / (1 + e))

    return tf.math.log(1 + e), grad


FORMS = {
    "as written": log1pexp,
    "custom gradient": log1pexp_custom,
    "tf.math.softplus": tf.math.softplus,
}


def slopes(function, x, dtype=np.float32):
    """Return the slopes of an elementwise function, by a tape.

    x      numbers
    dtype  NumPy's type in which they are computed
    """
    (gradient,) = taped.gradients_function(function)(np.asarray(x, dtype))
    return gradient.numpy()


def exact(x):
    """Return the slopes in double precision, by a form that is stable."""
    return 1 / (1 + np.exp(-np.asarray(x, np.float64)))


def digits(slope, right):
    """Return how many decimal digits of the numbers are right.

    0 for what is not a number; at most those that `slope`'s type has.
    """
    most = -np.log10(np.finfo(slope.dtype).eps / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.abs(slope.astype(np.float64) / right - 1)
        decimals = np.clip(-np.log10(error), 0, most)
    return np.where(np.isfinite(slope), decimals, 0.0)


def last(function, holds, dtype=np.float32, most=1000.0):
    """Return the greatest x above 0 at which something holds of the slope.

    holds  function of a slope; true up to some x, and false beyond it
    most   an x at which it is false

    Positive numbers of a type are ordered as the integers of their bits, so
    that halving the distance of the bits ends at two neighbours.
    """
    bits = np.int32 if dtype == np.float32 else np.int64

    def number(k):
        return np.array(k, bits).view(dtype)

    low, high = 0, int(np.array(most, dtype).view(bits))
    while high - low > 1:
        middle = (low + high) // 2
        if holds(slopes(function, number(middle), dtype)):
            low = middle
        else:
            high = middle
    return number(low)[()]
