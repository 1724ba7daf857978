"""Counts of a text's words, by a function that TensorFlow traces."""

from onthefly.tools.quiet_tensorflow import tf


@tf.function(input_signature=[tf.TensorSpec([], tf.string)])
def _counts(text):
    words, _, counts = tf.unique_with_counts(tf.strings.split(text))
    return words, counts


def words_tensorflow(text):
    """Return {word: count} of a text."""
    words, counts = (column.numpy().tolist() for column in _counts(text))
    names = (word.decode() for word in words)
    return dict(zip(names, counts, strict=True))
