"""A counter as a graph that is split over the tasks of a cluster.

Source: TensorFlow and protocol buffers, an article: its counter program, and
its remark on distributed computers.
"""

from typing import NamedTuple

from onthefly.kernels.count.counter_tensorflow import Counter
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
    """A graph that changes `total` `steps` times within one run."""

    graph: object
    steps: object
    total: object


def add_one(total):
    """Return a total, and 1: what a step of the loop does."""
    return tf.add(total, 1)


def loop(home=None, adder=None, work=add_one):
    """Return a Loop: the work on `adder`, the rest at `home`.

    work  function of a total, a tensor of int32, that returns the next
    """

    def body(step, total):
        with tf.device(adder):
            total = work(total)
        return step + 1, total

    graph = tf.Graph()
    with graph.as_default(), tf.device(home):
        steps = v1.placeholder(tf.int32, [], "steps")
        total = tf.while_loop(lambda k, _: k < steps, body, [0, 0])[1]
    return Loop(graph, steps, total)


def add_eagerly(steps):
    """Add 1 so many times, an operation at a time."""
    total = tf.constant(0)
    for _ in range(steps):
        total = total + 1
    return total


@tf.function
def add_in_graph(steps):
    """Add 1 so many times; Python's loop becomes one of the graph."""
    total = tf.constant(0)
    for _ in tf.range(steps):
        total = total + 1
    return total


def _add_by_function(steps):
    return add_in_graph(tf.constant(steps))


STEPS = {"eager": add_eagerly, "function": _add_by_function}
