"""A filter with a memory, by TensorFlow's scan, which XLA compiles.

It compiles for each length.  Left to TensorFlow's executor, each step of the
loop would be some operations of a graph, and cost far more.
"""

from onthefly.kernels.filter import A, B
from onthefly.tools.quiet_tensorflow import tf


def _step(last, v):
    return A * last + B * v


@tf.function(
    input_signature=[tf.TensorSpec([None], tf.float64)], jit_compile=True
)
def filter_tensorflow(x):
    """Return the tensor of filtered numbers, float64 of shape (n,)."""
    return tf.scan(_step, x, initializer=tf.constant(0.0, tf.float64))
