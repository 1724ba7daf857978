"""Tries what a toolkit can do: each toolkit in a process of its own.

A toolkit is "TensorFlow" (its graphs, as in 2017), "Eager", "Keras" (on
TensorFlow) or "PyTorch".
"""

import collections
import contextlib
import os
import pathlib
import time

SIDE = 1000  # of the square matrices that are multiplied
WORK = 0.5  # seconds of multiplying, in which threads are counted
BUSY = 0.1  # share of all processor time from which on a thread took part


def _six_in_tensorflow():
    from onthefly.tools.quiet_tensorflow import tf

    with tf.Graph().as_default():
        return float(tf.constant(2.0) * 3.0)


def _six_in_eager():
    from onthefly.tools.quiet_tensorflow import tf

    return float(tf.constant(2.0) * 3.0)


def _six_in_keras():
    from onthefly.tools.quiet_tensorflow import tf

    return float(tf.keras.ops.multiply(2.0, 3.0))


def _six_in_pytorch():
    from onthefly.tools.quiet_torch import torch

    return float(torch.tensor(2.0) * 3.0)


def interactive(toolkit):
    """Tell whether a product has a value as soon as it is written down."""
    product = globals()[f"_six_in_{toolkit.lower()}"]
    try:
        return product() == 6.0
    except TypeError:  # a tensor that stands for a value, and has none
        return False


def _matrices_in_tensorflow():
    from onthefly.tools.quiet_tensorflow import tf

    with tf.Graph().as_default() as graph:
        ones = tf.ones([SIDE, SIDE])
        product = tf.reduce_sum(ones @ ones)
    session = tf.compat.v1.Session(graph=graph)
    return lambda: session.run(product)


def _matrices_in_eager():
    from onthefly.tools.quiet_tensorflow import tf

    ones = tf.ones([SIDE, SIDE])
    return lambda: float(tf.reduce_sum(ones @ ones))


def _matrices_in_keras():
    from onthefly.tools.quiet_tensorflow import tf

    ops = tf.keras.ops
    ones = ops.ones([SIDE, SIDE])
    return lambda: float(ops.sum(ops.matmul(ones, ones)))


def _matrices_in_pytorch():
    from onthefly.tools.quiet_torch import torch

    ones = torch.ones([SIDE, SIDE])
    return lambda: float((ones @ ones).sum())


def _ticks():
    """Return {thread: the processor time that it has used}, in ticks."""
    ticks = collections.Counter()
    for task in pathlib.Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # the thread has ended
            # Behind the name, which may hold anything, in brackets.
            fields = (task / "stat").read_text().rpartition(")")[2].split()
            ticks[task.name] = int(fields[11]) + int(fields[12])
    return ticks


def busy(call):
    """Return how many threads a call keeps busy, repeated for WORK."""
    call()
    before, end = _ticks(), time.monotonic() + WORK
    while time.monotonic() < end:
        call()
    used = _ticks()
    used.subtract(before)
    least = BUSY * sum(used.values())
    return sum(ticks > least for ticks in used.values())


def threads(toolkit):
    """Return how many threads a product of two large matrices keeps busy."""
    return busy(globals()[f"_matrices_in_{toolkit.lower()}"]())


def total(folder, rank):
    """Return the sum of 1 and 2, which two processes of PyTorch hold.

    folder  where the two find each other
    rank    0 or 1
    """
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"  # nothing leaves this machine
    from onthefly.tools.quiet_torch import torch

    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2
    )
    number = torch.tensor(rank + 1.0)
    torch.distributed.all_reduce(number)
    torch.distributed.destroy_process_group()
    return float(number)
