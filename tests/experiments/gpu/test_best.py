"""The best of each library, checked before it is timed."""

import dataclasses
import math
import random
import sys
from unittest import mock

import numpy as np
import pytest
from numba import cuda

from cases import tensorflow_or_skip, torch_or_skip
from onthefly.experiments.gpu import best, kernel_timings
from onthefly.kernels import sigmas
from onthefly.quantity import Quantity


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
        assert sigmas(way(few), few) < 5


def quantities(**values):
    """Return Quantities without noise, by the names of BITS."""
    return {k: Quantity.exact(v, "s") for k, v in values.items()}


def test_each_number_of_bits_has_its_own_winner():
    seconds = quantities(**{
        "Numba CUDA": 4.0, "PyTorch": 6.0, "CuPy, raw kernel": 2.0,
        "TensorFlow, XLA": 3.0, "CUDA C, limit": 1.0, "limit, one core": 9.0,
    })  # fmt: skip
    assert best.fastest(seconds) == {
        53: "Numba CUDA", 31: "CuPy, raw kernel", 16: "CUDA C, limit"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("whole", "said"),
    [(2.0, "its instructions,"), (2.5, "do not explain a factor of 1.25"),
     (1.5, "do not explain a factor of 0.75")],
)  # fmt: skip
def test_a_price_is_the_instructions_only_where_the_numbers_say_so(
    whole, said
):
    found = best.price(Quantity.exact(whole), Quantity.exact(2.0))
    assert said in found
    wide = Quantity(2.0, 1.0, 4.0)
    assert "open" in best.price(wide, Quantity.exact(2.0))
    recorded = dataclasses.replace(Quantity.exact(whole), origin="box")
    assert "recorded" in best.price(recorded, Quantity.exact(2.0))


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
