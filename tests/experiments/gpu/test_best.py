"""The best of each library, checked before it is timed."""

import math
import random
import sys
from unittest import mock

import numpy as np
import pytest
from numba import cuda

from cases import tensorflow_or_skip, torch_or_skip
from onthefly.experiments.gpu import best, kernel_timings
from onthefly.kernels import z_score


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


def test_the_processors_candidates_estimate_pi():
    for way, shots in best.on_processor(2).values():
        few = min(shots, 2**22)
        assert z_score(way(few), few) < 5


DEVICES = (
    "experiments.gpu.limit_trials",
    "kernels.pi_cupy",
    "kernels.pi_tensorflow",
    "kernels.pi_tensorflow_device",
)


def test_every_way_has_its_number_of_bits(monkeypatch):
    torch_or_skip()
    for name in DEVICES:  # none of them computes here
        monkeypatch.setitem(sys.modules, f"onthefly.{name}", mock.MagicMock())
    cupy = mock.MagicMock()
    cupy.cuda.Device().mem_info = 1 << 34, 1 << 34
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr(best.devices, "sees_cuda", lambda name: True)
    monkeypatch.setattr(kernel_timings, "held", lambda kernels: 256)
    monkeypatch.setattr(cuda, "to_device", lambda array: array)
    known = {*best.on_processor(2), *best.on_device()}
    compiled = {"limit in C, all cores", "PyTorch, compiled"}
    assert known | compiled == set(best.BITS)


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
