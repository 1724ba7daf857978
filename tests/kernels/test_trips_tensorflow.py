"""The loop a + 1 by TensorFlow, fed runs and round trips."""

import numpy as np

from onthefly.kernels import trips_tensorflow as add
from onthefly.kernels import z_score

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


def test_pi_steps_lie_within_five_sigma():
    steps, points = 10, 20_000
    shape, hits = np.array([points], np.int32), np.float32(0)
    loop = add.while_session(add.pi_step, hits, shape)
    for total in (
        add.eager(add.pi_step, steps, hits, shape),
        loop(steps, hits, shape),
    ):
        assert z_score(4 * total / steps / points, steps * points) < 5


def test_fed_points_are_counted():
    rng = np.random.default_rng(1)
    x, y = rng.random((2, 50_000), np.float32)
    calls = add.pi_feeds(x, y)
    r = np.sqrt(x * x + y * y)
    assert calls["fed"](x, y) == calls["computing"]() == np.sum(r <= 1)
    assert z_score(4 * calls["drawn"]() / x.size, x.size) < 5
    assert calls["nothing"]() is None and calls["feeding"](x, y) is None
