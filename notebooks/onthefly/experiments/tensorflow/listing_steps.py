"""Which steps of a port TensorFlow needs: each is left out, the rest is run.

Source: Okuda, PyCon JP 2018, slides 18, 29 and 52.  Slide 52: MIT License,
Copyright (c) 2018 Yukio Okuda.
"""

import numpy as np

from onthefly.kernels import z_score
from onthefly.tools.quiet_tensorflow import tf

SHOTS = 10**4


def _hits(tf, n):
    """Return slide 52's hits, with the library as an argument."""
    draw = tf.random.uniform
    xs = draw(shape=[n], minval=0.0, maxval=1.0, dtype=tf.float64)
    ys = draw(shape=[n], minval=0.0, maxval=1.0, dtype=tf.float64)
    rs = tf.add(tf.multiply(xs, xs), tf.multiply(ys, ys))
    ones = tf.ones([n], dtype=tf.float64)
    return tf.math.count_nonzero(tf.less_equal(rs, ones))


def _hits_by_numpys_names(tf, n):
    """Do as `_hits`, by the names of slide 18."""
    xs, ys = tf.random.rand(n), tf.random.rand(n)
    rs = tf.add(tf.multiply(xs, xs), tf.multiply(ys, ys))
    ones = tf.ones(n, dtype=tf.float64)
    return tf.count_nonzero(tf.less_equal(rs, ones))


def _pi(tf, hit, n):
    return tf.divide(
        tf.multiply(tf.cast(4.0, tf.float64), tf.cast(hit, tf.float64)),
        tf.cast(n, tf.float64),
    )


def left_out():
    """Return {step left out: why the rest fails, or "" where it does not}.

    "nothing" is the listing as it is.
    """
    n = SHOTS
    programs = {
        "nothing": lambda: _pi(tf, _hits(tf, n), n),
        "prefix": lambda: _pi(np, _hits(np, n), n),
        "names": lambda: _pi(tf, _hits_by_numpys_names(tf, n), n),
        "casts": lambda: tf.divide(tf.multiply(4.0, _hits(tf, n)), n),
    }
    return {step: _failure(program) for step, program in programs.items()}


def _failure(program):
    refusals = AttributeError, TypeError, ValueError, tf.errors.OpError
    try:
        estimate = float(program())
    except refusals as error:
        return type(error).__name__
    return "" if z_score(estimate, SHOTS) < 5 else "another number"


def needed(failures):
    """Return the steps without which the listing fails, [] if it does anyway.

    failures  as from `left_out`
    """
    if failures["nothing"]:
        return []
    return [step for step, failure in failures.items() if failure]
