"""The best of each library, checked before it is timed."""

import math
import random

import numpy as np
import pytest

from cases import tensorflow_or_skip
from onthefly.experiments.gpu import best


def test_candidates_are_checked_before_they_are_timed():
    with pytest.raises(ValueError, match="wrong: π = 3"):
        best.timed({"wrong": (lambda n: 3.0, 10**6)}, 0.1)
    times = best.timed({"right": (lambda n: math.pi, 10**6)}, 0.1)
    assert times.seconds("right").value > 0


@pytest.mark.parametrize("card", [2, 6, 12, 24, 141])
def test_the_devices_shots_fit_into_its_memory(card):
    free = 0.9 * card * 2**30
    shots = best.fitting(free)
    eager = 5 * 8 * shots  # x, y, their squares and the sum, at once
    assert 0 < 3 * eager < free  # as two more libraries hold as much
    assert (shots == 10**8) == (card > 22)


def drawn_by_xla():
    """Return numbers as the XLA program draws them."""
    tf = tensorflow_or_skip()
    draw = tf.function(tf.random.stateless_uniform, jit_compile=True)
    return draw([10**4], [1, 2], alg="threefry").numpy().astype(float)


@pytest.mark.slow  # TensorFlow
@pytest.mark.parametrize(
    ("way", "draw"),
    [
        ("Python", lambda: [random.random() for _ in range(10**4)]),
        ("NumPy", lambda: np.random.default_rng(1).random(10**4)),
        ("Numba, documented", lambda: np.random.random(10**4)),
        ("TensorFlow, XLA", drawn_by_xla),
    ],
)
def test_the_bits_are_those_of_the_numbers(way, draw):
    bits = best.BITS[way]
    whole = np.array(draw()) * 2.0**bits
    assert (whole == np.floor(whole)).all()
    assert (whole % 2 == 1).any()  # and not one fewer
