"""Add one to an array, many times: the talk's smallest loop, in five ways.

``add_<way>(array, steps)`` returns `array` plus `steps`, as a NumPy array of
float32.  Source: Okuda, TFUG Tokyo 2018, slides 13, 16 and 30.
"""

import functools

from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1


def add_eager(array, steps):
    """Add by a Python loop; each operation runs at once."""
    a = tf.constant(array, tf.float32)
    for _ in range(steps):
        a = tf.add(a, 1, name="plus_one")
    return a.numpy()


def build_unrolled(steps):
    """Add a node for each step of a Python loop."""
    a = v1.placeholder(tf.float32, None, "a")
    for _ in range(steps):
        a = tf.add(a, 1, name="plus_one")
    tf.identity(a, "out")


def build_while():
    """Add a loop whose number of steps is an input."""
    a = v1.placeholder(tf.float32, None, "a")
    steps = v1.placeholder(tf.int32, [], "steps")
    _, a = v1.while_loop(
        lambda i, a: tf.less(i, steps),
        lambda i, a: (tf.add(i, 1), tf.add(a, 1, name="plus_one")),
        [0, a],
    )
    tf.identity(a, "out")


@functools.cache
def session(build, *arguments, folding=True):
    """Return a session of the graph that ``build(*arguments)`` makes.

    folding  let TensorFlow compute constants when it prepares the graph

    Equal arguments get the same session, which stays open.
    """
    config = v1.ConfigProto()
    if not folding:
        rewrites = config.graph_options.rewrite_options
        rewrites.constant_folding = rewrites.OFF
    with tf.Graph().as_default() as graph:
        build(*arguments)
    return v1.Session(graph=graph, config=config)


def add_unrolled(array, steps):
    """Add in one run of a graph that has a node for each step."""
    return session(build_unrolled, steps).run("out:0", {"a:0": array})


def add_session(array, steps):
    """Add by running a graph of one step so many times."""
    one = session(build_unrolled, 1)
    for _ in range(steps):
        array = one.run("out:0", {"a:0": array})
    return array


def add_while(array, steps):
    """Add in one run of a graph that loops."""
    feeds = {"a:0": array, "steps:0": steps}
    return session(build_while).run("out:0", feeds)


@tf.function
def add_traced(a, steps):
    """Add in a loop that AutoGraph makes of Python's."""
    for _ in tf.range(steps):
        a = tf.add(a, 1, name="plus_one")
    return a


@tf.function
def add_range(a, steps):
    """Add in a loop of Python, which runs while the graph is made."""
    for _ in range(steps):
        a = tf.add(a, 1, name="plus_one")
    return a


def add_function(array, steps):
    """Add by a traced function, which holds the loop."""
    a = tf.constant(array, tf.float32)
    return add_traced(a, tf.constant(steps)).numpy()


@functools.cache
def _pair(size):
    return tuple(tf.random.uniform([size]) for _ in "ab")


def add_pair(size):
    """Return the sum of two float32 tensors of so many elements.

    The two are made once for each size, so that a call only adds.
    """
    return tf.add(*_pair(size))
