"""The loop a + 1 under a TensorFlow of then: step by step, and as a graph.

The program of `then.loops`, for Python 3.6; a process is eager, or has the
graphs.  Source: Okuda, TFUG Tokyo 2018, slides 13, 16, 20 and 21.
"""

import functools
import time

import numpy as np
import tensorflow as tf

ROUND_TRIP = "round trip"
_state = {}


def start(mode):
    """Say what the process runs, "eager" or "graph"; before all else."""
    if mode == "eager":
        tf.enable_eager_execution()
        return
    array = tf.placeholder(tf.float32, [None])
    steps = tf.placeholder(tf.int32, [])
    _, end = tf.while_loop(
        lambda k, _: tf.less(k, steps),
        lambda k, a: (tf.add(k, 1), tf.add(a, 1.0)),
        [tf.constant(0), array],
        shape_invariants=[tf.TensorShape([]), array.shape],
    )
    _state.update(
        run=tf.Session().run,
        array=array,
        steps=steps,
        end=end,
        more=tf.add(array, 1.0),
    )


@functools.lru_cache(maxsize=None)
def _ones(n):
    return np.ones(n, np.float32)


@functools.lru_cache(maxsize=None)
def _tensor(n):
    return tf.constant(_ones(n))


def _eager(steps, n):
    a = _tensor(n)
    for _ in range(steps):
        a = tf.add(a, 1.0)
    return a.numpy()


def _graph(steps, n):
    feeds = {_state["array"]: _ones(n), _state["steps"]: steps}
    return _state["run"](_state["end"], feeds)


def _round_trip(_, n):
    # As on the slide: the array is made for each run.
    made = np.empty(n, np.float32)
    return _state["run"](_state["more"], {_state["array"]: made})


WAYS = {"eager": _eager, "graph": _graph, ROUND_TRIP: _round_trip}


def seconds(way, steps, n, calls):
    """Return the seconds of a call, in a loop of calls."""
    call = WAYS[way]
    start = time.perf_counter()
    for _ in range(calls):
        call(steps, n)
    return (time.perf_counter() - start) / calls


def last(way, steps, n):
    """Return the least and the largest element of a loop's result."""
    result = WAYS[way](steps, n)
    return [float(result.min()), float(result.max())]
