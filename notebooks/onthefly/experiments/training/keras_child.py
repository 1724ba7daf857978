"""Keras on another backend than TensorFlow, in a process of its own."""

import keras

from onthefly.experiments.training import keras_code
from onthefly.tools.quiet_tensorflow import tf


def outcomes(names):
    """Return {piece: that it runs on this backend, or its error}."""
    tf.config.run_functions_eagerly(True)  # they run once: trace nothing
    return {
        name: keras_code.told(
            keras_code.outcome(keras_code.PIECES[name], keras=keras, tf=tf)
        )
        for name in names
    }


def backend():
    """Return the name of the backend that Keras computes with."""
    return keras.backend.backend()
