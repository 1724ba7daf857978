"""π by TensorFlow on a device that the caller names, in a loop of it, and of
points that come from the host.

Sources: Okuda, PyCon JP 2018, slides 28, 31 and 53; TFUG 2018, slide 24.
"""

import functools

import numpy as np

from onthefly.kernels import check_shots
from onthefly.kernels.trips.trips_tensorflow import inside
from onthefly.tools.quiet_tensorflow import tf


def on_device(device, estimate):
    """Return `estimate`, run within ``tf.device(device)``."""

    @functools.wraps(estimate)
    def run(*arguments, **options):
        with tf.device(device):
            return estimate(*arguments, **options)

    return run


@tf.function
def _hits_loop(shots, loop):
    hits = tf.constant(0, tf.int64)
    for _ in tf.range(loop):
        x = tf.random.uniform([shots], dtype=tf.float64)
        y = tf.random.uniform([shots], dtype=tf.float64)
        inside = tf.less_equal(x * x + y * y, 1.0)
        hits += tf.math.count_nonzero(inside)
    return hits


def pi_tensorflow_loop(shots, rng=None, loop=10):
    """Return the mean of `loop` estimates, all made inside one graph.

    `rng` is ignored: the graph draws from TensorFlow's own stream.
    """
    shots, loop = check_shots(shots), check_shots(loop)
    hits = _hits_loop(tf.constant(shots), tf.constant(loop))
    return 4.0 * float(hits) / (shots * loop)


_POINTS = [tf.TensorSpec([None], tf.float32)] * 2
_hits_fed = tf.function(inside, input_signature=_POINTS)


@tf.function
def _hits_drawn(shots):
    return inside(*(tf.random.uniform([shots]) for _ in "xy"))


def pi_tensorflow_fed(shots, rng=None):
    """Return π from float32 points that NumPy draws and a graph is given.

    rng  a ``np.random.RandomState``, or None for NumPy's own stream
    """
    shots, rng = check_shots(shots), rng or np.random
    points = (rng.rand(shots).astype(np.float32) for _ in "xy")
    return 4.0 * float(_hits_fed(*points)) / shots


def pi_tensorflow_drawn(shots, rng=None):
    """Return π from float32 points that the same graph draws itself.

    `rng` is ignored, as in `pi_tensorflow_loop`.
    """
    shots = check_shots(shots)
    return 4.0 * float(_hits_drawn(tf.constant(shots))) / shots
