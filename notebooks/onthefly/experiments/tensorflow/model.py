"""A small model, written once: its code knows of no session and no tape."""

import numpy as np

from onthefly.tools.quiet_tensorflow import tf

FEATURES, HIDDEN = 4, 8


def weights(seed):
    """Return the weights of both layers, arrays of 32 bits, from a seed."""
    rng = np.random.default_rng(seed)
    shapes = (FEATURES, HIDDEN), (HIDDEN,), (HIDDEN, 1)
    return [rng.normal(size=s).astype(np.float32) for s in shapes]


def batches(seed, number, rows=16):
    """Return so many batches of inputs, arrays of rows × FEATURES."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(number, rows, FEATURES)).astype(np.float32)


def predict(x, first, offset, second):
    """Return what the model says of a batch, rows × 1."""
    hidden = tf.nn.relu(tf.matmul(x, first) + offset)
    return tf.matmul(hidden, second)
