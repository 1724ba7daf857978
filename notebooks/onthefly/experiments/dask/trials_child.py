"""Estimates of π by libraries under Dask's threads: see `trials`."""

import functools
import os
import signal

from onthefly.kernels.pi.pi_dask import pi_delayed


def by_torch():
    """Return an estimate of π by PyTorch, in double precision."""
    from onthefly.tools.quiet_torch import torch

    def pi(shots):
        x = torch.rand(shots, dtype=torch.float64)
        y = torch.rand(shots, dtype=torch.float64)
        return 4.0 * int(torch.count_nonzero(x * x + y * y <= 1.0)) / shots

    return pi


def by_tensorflow():
    """Return TensorFlow's eager estimate of π."""
    from onthefly.kernels.pi.pi_tensorflow import pi_tensorflow

    return pi_tensorflow


def by_session():
    """Return an estimate of π by one session that all threads share."""
    from onthefly.tools.quiet_tensorflow import tf

    one = tf.compat.v1
    with tf.Graph().as_default() as graph:
        size = one.placeholder(tf.int32, [])
        x, y = (tf.random.uniform([size], dtype=tf.float64) for _ in "xy")
        inside = tf.math.count_nonzero(x * x + y * y <= 1.0)
    session = one.Session(graph=graph)

    def pi(shots):
        return 4.0 * int(session.run(inside, {size: shots})) / shots

    return pi


def by_freezing():
    """Return what never ends."""
    return lambda _: signal.pause()


def by_crashing():
    """Return what ends the process by a segmentation fault."""
    return lambda _: os.kill(os.getpid(), signal.SIGSEGV)


MAKERS = {
    "PyTorch": by_torch,
    "TensorFlow, eager": by_tensorflow,
    "TensorFlow, session": by_session,
    "freeze": by_freezing,
    "crash": by_crashing,
}


@functools.cache
def made(way):
    """Return the estimate of a way; its library is loaded once."""
    return MAKERS[way]()


def estimates(way, shots, rounds, threads):
    """Return so many estimates of π by a way, each in so many threads."""
    pi = made(way)
    return [pi_delayed(pi, shots, threads) for _ in range(rounds)]
