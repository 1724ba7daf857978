"""The loop a + 1 by TensorFlow."""

import numpy as np

from onthefly.kernels.trips import trips_tensorflow as add

tf = add.tf


def test_a_loop_adds_its_steps_by_each_way():
    array = np.arange(7, dtype=np.float32)
    loop = add.while_session(add.add_one, array)
    for steps in (1, 5):
        expected = array + steps
        assert np.array_equal(add.eager(add.add_one, steps, array), expected)
        assert np.array_equal(loop(steps, array), expected)
    assert np.array_equal(loop(0, array), array)
    assert np.array_equal(loop(3, array[:2]), array[:2] + 3)  # another size
    add_one = tf.function(add.add_one)
    for way in (add_one, add.in_caller(add_one)):
        assert np.array_equal(way(tf.constant(array)), array + 1)
