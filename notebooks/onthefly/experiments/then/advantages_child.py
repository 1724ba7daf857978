"""What eager execution was said to bring, under TensorFlow 1.5 to 1.9.

The program of `then.talks.advantages`, for Python 3.6: a demonstration each,
as experiments.tensorflow.advantages has them for today's.  Source of the
list: Shin, The Flow of TensorFlow, slide 23.
"""

import io
import pdb

import numpy as np
import tensorflow as tf

tfe = None  # the module that the talks call so


def start(mode):
    """Begin as an eager program; before anything else is asked."""
    global tfe
    from tensorflow.contrib import eager as tfe

    tfe.enable_eager_execution()


def numpy_like():
    """Arrays go in and out of the same functions, with the same values."""
    x = np.arange(6.0).reshape(2, 3)
    pairs = (
        (tf.transpose(x), np.transpose(x)),
        (tf.reduce_sum(x, axis=0), x.sum(axis=0)),
        (tf.constant(x)[:, 1:], x[:, 1:]),
        (np.add(tf.constant(x), 1), x + 1),
    )
    return all(np.array_equal(np.array(a), b) for a, b in pairs)


def differentiated():
    """Derive a function that is plain Python."""
    (slope,) = tfe.gradients_function(lambda x: x * x)(3.0)
    return float(slope.numpy()) == 6.0


def debugged():
    """A debugger behind an operation sees its value."""
    said = io.StringIO()
    typed = io.StringIO("p int(twice)\ncontinue\n")
    debugger = pdb.Pdb(stdin=typed, stdout=said, nosigint=True, readrc=False)
    debugger.use_rawinput = False
    twice = tf.constant(21) * 2
    debugger.set_trace()
    return bool(twice.shape.ndims == 0 and "\n(Pdb) 42\n" in said.getvalue())


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
    while not tf.equal(x, 1):
        x = x // 2 if tf.equal(x % 2, 0) else 3 * x + 1
        steps += 1
    return steps == 8


def structured():
    """Tensors live in dicts and lists, which the program changes."""
    lists = {"sums": [tf.constant(1)]}
    for k in range(2, 5):
        lists["sums"].append(lists["sums"][-1] + k)
    return [int(x) for x in lists["sums"]] == [1, 3, 6, 10]


def flexible():
    """A gradient of one's own, in a few lines."""

    @tfe.custom_gradient
    def loud(x):
        return tf.identity(x), lambda dy: 10 * dy

    (slope,) = tfe.gradients_function(loud)(1.0)
    return float(slope.numpy()) == 10.0


DEMONSTRATIONS = {
    "a NumPy-like library": numpy_like,
    "automatic differentiation": differentiated,
    "a platform for experiments": flexible,
    "Python debugger tools": debugged,
    "immediate error reporting": raised,
    "easy control flow": controlled,
    "Python data structures": structured,
}


def came_out():
    """Return {item of the list: whether its demonstration comes out}."""
    return {name: bool(show()) for name, show in DEMONSTRATIONS.items()}
