"""What eager execution was said to bring: a demonstration each.

A demonstration is a function without arguments that tells whether it came
out.  Source of the list: Shin, The Flow of TensorFlow, slide 23.
"""

import numpy as np

from onthefly.experiments.tensorflow import looks
from onthefly.tools.quiet_tensorflow import tf


def numpy_like():
    """Arrays go in and out of the same functions, with the same values."""
    x = np.arange(6.0).reshape(2, 3)
    pairs = (
        (tf.transpose(x), np.transpose(x)),
        (tf.reduce_sum(x, axis=0), x.sum(axis=0)),
        (tf.constant(x)[:, 1:], x[:, 1:]),
        (np.add(tf.constant(x), 1), x + 1),
    )
    return all(np.array_equal(ours, theirs) for ours, theirs in pairs)


def differentiated():
    """Derive a function that is plain Python."""
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return float(tape.gradient(y, x)) == 6.0


def debugged():
    """A debugger behind an operation sees its value."""
    return looks.said(lambda: _doubled(21), "p int(twice)") == ["42"]


def _doubled(number):
    twice = tf.constant(number) * 2
    breakpoint()
    return twice


def raised():
    """An error is raised by the line that made it, and can be caught."""
    try:
        tf.gather([0, 1, 2], 7)
    except tf.errors.InvalidArgumentError:
        return True
    return False


def controlled():
    """Python's own while and if take tensors."""
    x, steps = tf.constant(6), 0
    while x != 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        steps += 1
    return steps == 8


def structured():
    """Tensors live in dicts and lists, which the program changes."""
    lists = {"sums": [tf.constant(1)]}
    for k in range(2, 5):
        lists["sums"].append(lists["sums"][-1] + k)
    return [int(x) for x in lists["sums"]] == [1, 3, 6, 10]


def flexible():
    """A gradient of one's own, in five lines."""

    @tf.custom_gradient
    def loud(x):
        return x, lambda dy: 10 * dy

    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loud(x)
    return float(tape.gradient(y, x)) == 10.0


DEMONSTRATIONS = {
    "a NumPy-like library": numpy_like,
    "automatic differentiation": differentiated,
    "a platform for experiments": flexible,
    "Python debugger tools": debugged,
    "immediate error reporting": raised,
    "easy control flow": controlled,
    "Python data structures": structured,
}
