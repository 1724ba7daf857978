"""The best of each library, checked before it is timed."""

import dataclasses
import math

import pytest

from onthefly import results
from onthefly.experiments.gpu import best
from onthefly.kernels import sigmas
from onthefly.quantity import Quantity


def test_candidates_are_checked_before_they_are_timed():
    with pytest.raises(ValueError, match="wrong: π = 3"):
        best.timed({"wrong": (lambda n: 3.0, 10**6)}, 0.1)
    times = best.timed({"right": (lambda n: math.pi, 10**6)}, 0.1)
    assert times.seconds("right").value > 0


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


def test_every_way_has_its_number_of_bits():
    assert set(best.on_processor(2)) <= set(best.BITS)
    recorded = results.borrow("device-speed-limit", "libraries")
    assert set(recorded.names) <= set(best.BITS)
