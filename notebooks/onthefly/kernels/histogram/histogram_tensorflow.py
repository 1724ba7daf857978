"""Counts of whole numbers, by a function that TensorFlow traces."""

from onthefly.tools.quiet_tensorflow import tf


# One trace for every length and number of bins.
@tf.function(
    input_signature=[
        tf.TensorSpec([None], tf.int64),
        tf.TensorSpec([], tf.int64),
    ]
)
def histogram_tensorflow(values, bins):
    """Return the counts, int64 of shape (bins,).

    values  int64 of shape (n,), from 0 to below `bins`
    """
    return tf.math.bincount(
        values, minlength=bins, maxlength=bins, dtype=tf.int64, axis=0
    )
