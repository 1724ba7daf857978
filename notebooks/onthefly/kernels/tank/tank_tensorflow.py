"""A recurrence that no whole-array operation computes, by TensorFlow's tools.

A tank gains water step by step; when its level passes the limit, it is
emptied.  Each level hangs on the one before, so the steps cannot be taken
side by side.  ``tank_<tool>(inflow, limit)`` returns the level after each
step; `inflow` and the levels have one axis, `limit` has none, all are int64.
Source of the question: Okuda, TFUG Tokyo 2018, slide 25, which lists the
tools.
"""

from onthefly.tools.quiet_tensorflow import tf


def next_level(level, gain, limit):
    """Return the next level, by ``tf.cond``."""
    full = level + gain
    return tf.cond(full > limit, lambda: tf.zeros_like(full), lambda: full)


def _loop(step, inflow, holder):
    """Run ``step(i, level, holder)`` for each element in a while_loop."""
    size = len(inflow)
    start = [0, tf.constant(0, tf.int64), holder]
    return tf.while_loop(lambda i, *_: i < size, step, start)[2]


@tf.function
def tank_array(inflow, limit):
    """Write the levels into a ``tf.TensorArray``."""

    def step(i, level, levels):
        level = next_level(level, inflow[i], limit)
        return i + 1, level, levels.write(i, level)

    return _loop(step, inflow, tf.TensorArray(tf.int64, len(inflow))).stack()


@tf.function
def tank_scatter(inflow, limit):
    """Make each step's array by ``tf.tensor_scatter_nd_update``."""

    def step(i, level, levels):
        level = next_level(level, inflow[i], limit)
        new = tf.tensor_scatter_nd_update(levels, [[i]], [level])
        return i + 1, level, new

    return _loop(step, inflow, tf.zeros_like(inflow))


@tf.function
def _assign(inflow, limit, levels):
    def step(i, level, done):
        level = next_level(level, inflow[i], limit)
        with tf.control_dependencies([levels[i].assign(level)]):
            return i + 1, tf.identity(level), done + 1

    done = _loop(step, inflow, 0)
    with tf.control_dependencies([done]):
        return levels.read_value()


def tank_variable(inflow, limit):
    """Assign to a ``tf.Variable``, in an order that is asked for."""
    return _assign(inflow, limit, tf.Variable(tf.zeros_like(inflow)))


@tf.function
def tank_autograph(inflow, limit):
    """Write Python's own ``for`` and ``if``; AutoGraph makes the nodes."""
    level = tf.constant(0, tf.int64)
    levels = tf.TensorArray(tf.int64, len(inflow))
    for i in tf.range(len(inflow)):
        level += inflow[i]
        if level > limit:
            level = tf.zeros_like(level)
        levels = levels.write(i, level)
    return levels.stack()


TOOLS = tank_array, tank_scatter, tank_variable, tank_autograph
