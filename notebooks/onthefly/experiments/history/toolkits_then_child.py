"""Tries what the toolkits of 2017 did, under TensorFlow 1.5 and Python 3.6.

A toolkit is "TensorFlow" (its graphs), "Eager" or "Keras" (tf.keras); each
has a process of its own.
"""

import numpy as np
import tensorflow as tf

from onthefly.experiments.history.toolkits_child import SIDE, busy


def start(toolkit):
    """Begin as the toolkit's programs do; before anything else is asked."""
    if toolkit == "Eager":
        from tensorflow.contrib import eager

        eager.enable_eager_execution()


def _product(toolkit):
    if toolkit == "Keras":
        return tf.keras.backend.constant(2.0) * 3.0
    return tf.constant(2.0) * 3.0


def interactive(toolkit):
    """Tell whether a product has a value as soon as it is written down."""
    product = _product(toolkit)
    if hasattr(product, "numpy"):
        return float(product.numpy()) == 6.0
    try:
        return float(product) == 6.0
    except TypeError:  # a tensor that stands for a value, and has none
        return False


def _matrices(toolkit):
    """Return a function that multiplies two large matrices."""
    ones = np.ones((SIDE, SIDE), np.float32)
    if toolkit == "Eager":
        tensor = tf.constant(ones)
        return lambda: tf.reduce_sum(tf.matmul(tensor, tensor)).numpy()
    if toolkit == "Keras":
        keras = tf.keras.backend
        entry = keras.placeholder((SIDE, SIDE))
        total = keras.function([entry], [keras.sum(keras.dot(entry, entry))])
        return lambda: total([ones])
    entry = tf.placeholder(tf.float32, (SIDE, SIDE))
    total = tf.reduce_sum(tf.matmul(entry, entry))
    session = tf.Session()
    return lambda: session.run(total, {entry: ones})


def threads(toolkit):
    """Return how many threads a product of two large matrices keeps busy."""
    return busy(_matrices(toolkit))
