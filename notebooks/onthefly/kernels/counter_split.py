"""A counter and π as graphs that are split over the tasks of a cluster.

Source: TensorFlow and protocol buffers, an article: its counter program, and
its remark on distributed computers.
"""

from typing import NamedTuple

from onthefly.kernels import check_shots, split
from onthefly.kernels.counter_tensorflow import Counter
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1


def task(number):
    """Return the name of a task, as ``tf.device`` takes it."""
    return f"/job:worker/task:{number}"


def counter(home=None, adder=None):
    """Return the article's counter: each run of `update` adds 1 to it.

    home   device of the variable
    adder  device of the addition
    """
    graph = tf.Graph()
    with graph.as_default():
        with tf.device(home):
            state = v1.Variable(0, name="counter", use_resource=False)
        with tf.device(adder):
            new_value = tf.add(state, tf.constant(1, name="one"))
        update = v1.assign(state, new_value)  # where the variable is
        init = v1.global_variables_initializer()
    return Counter(graph, state, update, init)


class Loop(NamedTuple):
    """A graph that adds 1 to `value` `steps` times within one run."""

    graph: object
    steps: object
    total: object


def loop(home=None, adder=None):
    """Return a Loop; the addition is on `adder`, the rest at `home`."""

    def body(step, total):
        with tf.device(adder):
            total = tf.add(total, 1)
        return step + 1, total

    graph = tf.Graph()
    with graph.as_default(), tf.device(home):
        steps = v1.placeholder(tf.int32, [], "steps")
        total = tf.while_loop(lambda k, _: k < steps, body, [0, 0])[1]
    return Loop(graph, steps, total)


def _add_eagerly(count):
    total = tf.constant(0)
    for _ in range(count):
        total = total + 1
    return total


@tf.function
def _add_in_graph(count):
    total = tf.constant(0)
    for _ in tf.range(count):
        total = total + 1
    return total


def _add_by_function(count):
    return _add_in_graph(tf.constant(count))


STEPS = {"eager": _add_eagerly, "function": _add_by_function}


class Halves(NamedTuple):
    """A graph that counts hits in parts, a part a task."""

    graph: object
    shots: list
    key: object
    hits: object


def halves(tasks=2, at=task):
    """Return Halves: part k on task k, their sum on task 0.

    at  names the device of a part; ``lambda k: None`` for one process
    """
    graph = tf.Graph()
    counts, shots = [], []
    with graph.as_default():
        key = v1.placeholder(tf.int32, [], "key")
        for k in range(tasks):
            with tf.device(at(k)):
                size = v1.placeholder(tf.int32, [], f"shots_{k}")
                xy = tf.random.stateless_uniform(
                    [2, size], [key, k], dtype=tf.float64
                )
                inside = tf.reduce_sum(xy * xy, 0) <= 1.0
                counts.append(tf.math.count_nonzero(inside))
                shots.append(size)
        with tf.device(at(0)):
            hits = tf.add_n(counts)
    return Halves(graph, shots, key, hits)


def pi_tensorflow_split(shots, key, session, parts):
    """Return π from so many shots, by one run of a graph in parts.

    key      an int of 31 bits; the same gives the same result
    session  a session over the graph of `parts`
    parts    Halves
    """
    sizes = split(check_shots(shots), len(parts.shots))
    feed = dict(zip(parts.shots, sizes, strict=True))
    hits = session.run(parts.hits, {**feed, parts.key: key})
    return 4.0 * int(hits) / shots
