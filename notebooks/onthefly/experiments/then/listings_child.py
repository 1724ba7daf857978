"""π by listings of the talks, under any TensorFlow from 1.6 on.

The program of `then.listings`, for Python 3.6 and newer; a process runs one
form.  Written from slides 18, 52 and 53 of Okuda, PyCon JP 2018, which are in
double precision and take no root, and from slides 10 and 24 of TFUG Tokyo
2018, which is in single precision and hands NumPy's numbers over.  Slides 52
and 53: MIT License, Copyright (c) 2018 Yukio Okuda.
"""

import time

import numpy as np
import tensorflow as tf

from onthefly.experiments.then.tensorflow_child import (
    OLD,
    count_nonzero,
    hits_numpy,
    uniform,
    v1,
)
from onthefly.kernels.pi.pi_numpy_printed import pi_numpy_printed

_state = {}  # the form's function


def start(form):
    """Say which form the process runs; before anything else is asked."""
    threads = 1 if form.endswith("1 thread") else 0
    config = v1.ConfigProto(intra_op_parallelism_threads=threads)
    if form.startswith("eager"):
        _eager(config)
    _state["pi"] = {
        "NumPy, list of ones": lambda n: 4.0 * hits_numpy(n) / n,
        "eager, fed": lambda n: 4.0 * int(hits_fed(n).numpy()) / n,
        "NumPy": pi_numpy_printed,
        "eager": lambda n: float(pi_tensorflow(n).numpy()),
        "graph": _graph(config) if form.startswith("graph") else None,
    }[form.split(", 1 thread")[0]]


def _eager(config):
    if not OLD:
        threads = config.intra_op_parallelism_threads
        tf.config.threading.set_intra_op_parallelism_threads(threads)
    elif hasattr(tf, "enable_eager_execution"):
        tf.enable_eager_execution(config=config)
    else:
        from tensorflow.contrib import eager

        eager.enable_eager_execution(config=config)


def pi_tensorflow(n):
    """Return a tensor: π from so many points (slide 52)."""
    xs = uniform(shape=[n], minval=0.0, maxval=1.0, dtype=tf.float64)
    ys = uniform(shape=[n], minval=0.0, maxval=1.0, dtype=tf.float64)
    rs = tf.add(tf.multiply(xs, xs), tf.multiply(ys, ys))
    ones = tf.ones([n], dtype=tf.float64)
    lss = tf.less_equal(rs, ones)
    hit = count_nonzero(lss)
    return tf.divide(
        tf.multiply(tf.cast(4.0, tf.float64), tf.cast(hit, tf.float64)),
        tf.cast(n, tf.float64),
    )


def _graph(config):
    """Return a function that runs the same as a graph (slide 53)."""
    with tf.Graph().as_default() as graph:
        n = v1.placeholder(tf.int32, [], name="n")
        pi = pi_tensorflow(n)
    session = v1.Session(graph=graph, config=config)
    return lambda shots: float(session.run(pi, feed_dict={n: shots}))


def hits_fed(size):
    """Return a tensor: the hits among NumPy's points (slide 24)."""
    x = tf.convert_to_tensor(np.random.rand(size).astype(np.float32))
    y = tf.convert_to_tensor(np.random.rand(size).astype(np.float32))
    rs = tf.sqrt(tf.add(tf.multiply(x, x), tf.multiply(y, y)))
    ones = tf.ones([size], dtype=tf.float32)
    lss = tf.less_equal(rs, ones)
    return count_nonzero(lss, dtype=tf.int64)


def estimate(size, calls):
    """Return the mean of so many estimates of π."""
    return sum(float(_state["pi"](size)) for _ in range(calls)) / calls


def seconds(size, calls):
    """Return the seconds of a call, in so many together."""
    start = time.perf_counter()
    for _ in range(calls):
        _state["pi"](size)
    return (time.perf_counter() - start) / calls


def modules(own, contributed):
    """Return which of these modules TensorFlow has, and its contrib."""
    contrib = getattr(tf, "contrib", None)
    return [
        [name for name in own if hasattr(tf, name)],
        [name for name in contributed if hasattr(contrib, name)],
    ]
