"""A program of TensorFlow 1.9, and its mode: for `modes`, from Python 3.6."""

import tensorflow as tf

STATEMENTS = {
    "enable": tf.enable_eager_execution,
    "operate": lambda: tf.add(1, 1),
    "log": lambda: tf.logging.set_verbosity(tf.logging.ERROR),
}


def mode(*statements):
    """Return "eager" or "graph"; "refused" where a statement is an error."""
    try:
        for statement in statements:
            STATEMENTS[statement]()
    except ValueError:
        return "refused"
    return "eager" if tf.executing_eagerly() else "graph"
