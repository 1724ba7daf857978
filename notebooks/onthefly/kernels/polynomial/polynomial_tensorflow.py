"""A cubic at each number of a tensor, by a TensorFlow function."""

from onthefly.tools.quiet_tensorflow import tf


# One trace for every length: shapes are left open.
@tf.function(input_signature=[tf.TensorSpec([None], tf.float64)])
def polynomial_tensorflow(x):
    """Return the tensor of the cubic's values, float64 of shape (n,)."""
    return ((2.0 * x + 3.0) * x - 5.0) * x + 7.0
