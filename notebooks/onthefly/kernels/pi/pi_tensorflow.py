"""π by TensorFlow's operations.  Source: Okuda, PyCon JP 2018, slide 52."""

from onthefly.kernels import check_shots
from onthefly.tools.quiet_tensorflow import tf

stream = tf.random.Generator.from_seed


def _hits(shots, rng):
    draw = (rng or tf.random).uniform
    x = draw([shots], dtype=tf.float64)
    y = draw([shots], dtype=tf.float64)
    inside = tf.less_equal(x * x + y * y, 1.0)
    return tf.math.count_nonzero(inside)


_hits_graph = tf.function(_hits)


def pi_tensorflow(shots, rng=None):
    """Return π estimated from `shots` points, one operation at a time."""
    shots = check_shots(shots)
    return 4.0 * float(_hits(shots, rng)) / shots


def pi_tensorflow_graph(shots, rng=None):
    """Return π estimated from `shots` points by one traced graph."""
    shots = check_shots(shots)
    hits = _hits_graph(tf.constant(shots), rng)
    return 4.0 * float(hits) / shots


@tf.function(jit_compile=True)
def _hits_xla(shots, key, alg):
    draws = tf.random.stateless_uniform([2, shots], key, alg=alg)
    x, y = tf.unstack(draws)
    inside = tf.less_equal(x * x + y * y, 1.0)
    return tf.math.count_nonzero(inside)


def pi_tensorflow_xla(shots, rng=None, alg="threefry"):
    """Return π estimated from `shots` points by one XLA program, in float32.

    alg  the generator: "threefry", "philox" or "auto_select", TensorFlow's
         default

    XLA compiles anew for each number of shots.
    """
    shots = check_shots(shots)
    draw = (rng or tf.random).uniform
    key = draw([2], maxval=2**31 - 1, dtype=tf.int32)
    return 4.0 * float(_hits_xla(shots, key, alg)) / shots
