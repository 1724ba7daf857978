"""π by TensorFlow, call by call as the talk has it.  Source: Okuda, PyCon JP
2018, slide 52."""

from onthefly.kernels import check_shots
from onthefly.tools.quiet_tensorflow import tf

stream = tf.random.Generator.from_seed


def pi_tensorflow_talk(shots, rng=None):
    """Return π estimated from `shots` points, one operation at a time."""
    shots = check_shots(shots)
    draw = (rng or tf.random).uniform
    xs = draw(shape=[shots], minval=0.0, maxval=1.0, dtype=tf.float64)
    ys = draw(shape=[shots], minval=0.0, maxval=1.0, dtype=tf.float64)
    rs = tf.add(tf.multiply(xs, xs), tf.multiply(ys, ys))
    ones = tf.ones([shots], dtype=tf.float64)
    lss = tf.less_equal(rs, ones)
    hits = tf.math.count_nonzero(lss)
    four_hits = tf.multiply(
        tf.cast(4.0, tf.float64), tf.cast(hits, tf.float64)
    )
    pi = tf.divide(four_hits, tf.cast(shots, tf.float64))
    return float(pi.numpy())
