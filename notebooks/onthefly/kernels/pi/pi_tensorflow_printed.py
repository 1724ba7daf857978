"""π by TensorFlow, statement by statement as the talk prints it: ones to
compare with.  Source: Okuda, PyCon JP 2018, slides 52 and 53, under today's
names; a traced function stands for the graph and its session."""

from onthefly.kernels import check_shots
from onthefly.tools.quiet_tensorflow import tf

stream = tf.random.Generator.from_seed


def _estimate(shots, rng):
    draw = (rng or tf.random).uniform
    xs = draw([shots], dtype=tf.float64)
    ys = draw([shots], dtype=tf.float64)
    rs = tf.add(tf.multiply(xs, xs), tf.multiply(ys, ys))
    ones = tf.ones([shots], dtype=tf.float64)
    lss = tf.less_equal(rs, ones)
    hit = tf.math.count_nonzero(lss)
    return tf.divide(
        tf.multiply(tf.cast(4.0, tf.float64), tf.cast(hit, tf.float64)),
        tf.cast(shots, tf.float64),
    )


_graph = tf.function(_estimate)


def pi_tensorflow_printed(shots, rng=None):
    """Return π from `shots` points, in float64, one operation at a time."""
    return float(_estimate(check_shots(shots), rng))


def pi_tensorflow_printed_graph(shots, rng=None):
    """Return π from `shots` points, in float64, by one graph."""
    return float(_graph(tf.constant(check_shots(shots)), rng))
