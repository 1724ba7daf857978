"""π by TensorFlow as the talk writes it, under any version from 1.4 on.

The program of `then.tensorflow`, for Python 3.6 and newer; a process runs one
form.  Written from slides 7, 10, 13 and 16 of Okuda, TFUG Tokyo 2018: nine
calls a step, single precision, ones to compare with.  Where it had to differ:
the size of the arrays is part of the graph here, too, but a graph is made for
each size in turn; and the loop's number of turns is fed.
"""

import time

import numpy as np
import tensorflow as tf

OLD = tf.__version__.startswith("1.")
v1 = tf if OLD else tf.compat.v1
uniform = tf.random_uniform if OLD else tf.random.uniform
count_nonzero = tf.count_nonzero if OLD else tf.math.count_nonzero
_state = {}  # the form, its session, and {size: graph's nodes}


def start(form):
    """Say which form the process runs; before anything else is asked."""
    _state["form"] = form
    if form.startswith("eager"):
        if OLD and hasattr(tf, "enable_eager_execution"):
            tf.enable_eager_execution()
        elif OLD:
            from tensorflow.contrib import eager

            eager.enable_eager_execution()
    elif not OLD:
        v1.disable_v2_behavior()
    if form in ("session", "while_loop"):
        _state["session"] = v1.Session()
        _state["nodes"] = {}


def hits_numpy(size):
    """Return the hits among so many points, by NumPy (slide 10)."""
    x = np.random.rand(size).astype(np.float32)
    y = np.random.rand(size).astype(np.float32)
    rs = np.sqrt(np.add(np.multiply(x, x), np.multiply(y, y)))
    ones = np.array([1.0] * size, dtype=np.float32)
    lss = np.less_equal(rs, ones)
    return np.count_nonzero(lss)


def hits_tensorflow(size):
    """Return a tensor: the hits among so many points (slide 10)."""
    x = uniform(shape=[size], minval=0.0, maxval=1.0, dtype=tf.float32)
    y = uniform(shape=[size], minval=0.0, maxval=1.0, dtype=tf.float32)
    rs = tf.sqrt(tf.add(tf.multiply(x, x), tf.multiply(y, y)))
    ones = tf.ones([size], dtype=tf.float32)
    lss = tf.less_equal(rs, ones)
    return count_nonzero(lss, dtype=tf.int64)


def _session(size):
    nodes = _state["nodes"]
    if size not in nodes:
        nodes[size] = hits_tensorflow(size)
    return nodes[size]


def _turned(size, turns):
    """Return a tensor: the hits of a loop of so many turns."""
    _, hits = tf.while_loop(
        lambda turn, hits: tf.less(turn, turns),
        lambda turn, hits: (
            tf.add(turn, 1),
            tf.add(hits, hits_tensorflow(size)),
        ),
        [tf.constant(0), tf.constant(0, tf.int64)],
    )
    return hits


def _loop(size):
    """Return (the turns to feed, all hits) of a loop in the graph."""
    nodes = _state["nodes"]
    if size not in nodes:
        turns = v1.placeholder(tf.int32, [])
        nodes[size] = turns, _turned(size, turns)
    return nodes[size]


def run(size, calls):
    """Return the hits of so many calls together, as the form makes them."""
    form = _state["form"]
    if form == "NumPy":
        return sum(int(hits_numpy(size)) for _ in range(calls))
    if form == "eager":
        return sum(int(hits_tensorflow(size).numpy()) for _ in range(calls))
    if form == "eager while_loop":
        return int(_turned(size, calls).numpy())  # Python turns (slide 18)
    session = _state["session"]
    if form == "session":
        node = _session(size)
        return sum(int(session.run(node)) for _ in range(calls))
    turns, hits = _loop(size)
    return int(session.run(hits, feed_dict={turns: calls}))


def seconds(size, calls):
    """Return the seconds of a call, in so many together."""
    start = time.perf_counter()
    run(size, calls)
    return (time.perf_counter() - start) / calls


def estimate(size, calls):
    """Return π from so many calls."""
    return 4.0 * run(size, calls) / (size * calls)
