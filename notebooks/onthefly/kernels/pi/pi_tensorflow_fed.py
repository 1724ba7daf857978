"""π by TensorFlow from NumPy's random numbers, which each call hands over.

The talk's nine calls otherwise.  Source: Okuda, TFUG Tokyo 2018, slides 10
and 24.
"""

import numpy as np

from onthefly.kernels import check_shots
from onthefly.tools.quiet_tensorflow import tf


def pi_tensorflow_fed(shots):
    """Return π from `shots` points, one operation at a time."""
    shots = check_shots(shots)
    x = tf.convert_to_tensor(np.random.rand(shots).astype(np.float32))
    y = tf.convert_to_tensor(np.random.rand(shots).astype(np.float32))
    r = tf.sqrt(tf.add(tf.multiply(x, x), tf.multiply(y, y)))
    one = tf.ones([shots], dtype=tf.float32)
    inside = tf.less_equal(r, one)
    hits = tf.math.count_nonzero(inside)
    return 4.0 * int(hits) / shots
