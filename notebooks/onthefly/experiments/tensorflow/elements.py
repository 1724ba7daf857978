"""The elements of a random matrix, one by one: from which draw is each?

Source of the two loops: Shin, The Flow of TensorFlow, slide 26.
"""

import itertools

import numpy as np

from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1
PLACES = [*itertools.product(range(2), repeat=2)]


def by_session(tries):
    """Yield, for each try, [(element, the matrix that it was taken from)].

    A run of the session for each element, which also fetches the matrix.
    """
    with tf.Graph().as_default(), v1.Session() as session:
        x = tf.random.uniform([2, 2])
        wanted = [(x[place], x) for place in PLACES]
        for _ in range(tries):
            yield [session.run(pair) for pair in wanted]


def by_python(tries):
    """Yield the same of eager execution."""
    for _ in range(tries):
        x = tf.random.uniform([2, 2])
        yield [(x[place].numpy(), x.numpy()) for place in PLACES]


def matrices(pairs):
    """Return how many matrices a try's elements come from.

    Raises AssertionError for an element that is not in its matrix.
    """
    for place, (element, matrix) in zip(PLACES, pairs, strict=True):
        assert element == matrix[place]
    return len({np.asarray(matrix).tobytes() for _, matrix in pairs})
