"""Steps to 1 from each number of a tensor, by a loop that TensorFlow traces.

It goes on with the whole tensor until the last number is there.
"""

from onthefly.tools.quiet_tensorflow import tf


# One trace for every length; `while` becomes a part of the graph.
@tf.function(input_signature=[tf.TensorSpec([None], tf.int64)])
def collatz_tensorflow(starts):
    """Return the steps, int64 of shape (n,).

    starts  int64 of shape (n,), at least 1 each
    """
    x, steps = starts, tf.zeros_like(starts)
    under_way = x != 1
    while tf.reduce_any(under_way):
        following = tf.where(x % 2 == 0, x // 2, 3 * x + 1)
        x = tf.where(under_way, following, x)
        steps += tf.cast(under_way, tf.int64)
        under_way = x != 1
    return steps
