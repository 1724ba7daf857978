"""A process whose TensorFlow has settings of its own: see workers."""

import ctypes
import time

from onthefly.measure import clock
from onthefly.tools.quiet_tensorflow import tf


def set_threads(intra, inter):
    """Set TensorFlow's numbers of threads, before its first operation.

    intra, inter  as of ``workers.fork``
    """
    tf.config.threading.set_intra_op_parallelism_threads(intra)
    tf.config.threading.set_inter_op_parallelism_threads(inter)


def keep_memory():
    """Let this process keep the memory that it frees; True where it does.

    glibc's allocator then asks the system for no array on its own, and
    gives nothing back, so that pages are touched for the first time once.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except AttributeError:  # another C library
        return False
    trim_threshold, top_pad, mmap_max = -1, -2, -4
    asked = ((mmap_max, 0), (trim_threshold, 2**30), (top_pad, 2**28))
    return all([mallopt(*pair) for pair in asked])


def cores_used(function, *arguments, calls=3):
    """Return processor seconds over seconds of calls: 2.0 is two cores."""
    function(*arguments)
    before = time.process_time()
    wall = clock.seconds(function, *arguments, calls=calls) * calls
    return (time.process_time() - before) / wall


def modes(*steps):
    """Take steps, and return the mode that a program then is in.

    steps  "disable" or "enable" eager execution, "operate": make a tensor

    Returns "eager" or "graph", or the message of the step that is refused.
    For a process that has run no operation yet.
    """
    actions = {
        "disable": tf.compat.v1.disable_eager_execution,
        "enable": tf.compat.v1.enable_eager_execution,
        "operate": lambda: tf.constant(0),
    }
    for step in steps:
        try:
            actions[step]()
        except ValueError as error:
            return str(error)
    return "eager" if tf.executing_eagerly() else "graph"
