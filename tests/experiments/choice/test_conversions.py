"""Ways between lists, arrays and tensors: what they carry, who shares."""

import sys

import numpy as np
import pytest

from onthefly.clock import measure
from onthefly.experiments.choice import conversions
from onthefly.experiments.choice.conversions import Journey
from onthefly.experiments.choice.problems import PROBLEMS

X = np.random.default_rng(5).random(7)
STEPS = {
    "Python": ["compute"],
    "NumPy": ["list to array", "compute", "array to list"],
    "PyTorch": [
        "list to array",
        "array to tensor",
        "compute",
        "tensor to array",
        "array to list",
    ],
}


@pytest.mark.parametrize("variant", STEPS)
def test_a_journey_is_made_of_steps_and_ends_in_the_list(variant):
    journey = Journey(PROBLEMS["polynomial"], variant, X)
    expected = (((2 * X + 3) * X - 5) * X + 7).tolist()
    assert isinstance(journey(), list)
    assert np.allclose(journey(), expected)
    steps = journey.steps()
    assert list(steps) == STEPS[variant]
    *_, last = (step() for step in steps.values())
    assert isinstance(last, list)
    assert np.allclose(last, expected)


def test_who_arrives_with_another_list_is_told():
    journeys = {
        variant: Journey(PROBLEMS["polynomial"], variant, x)
        for variant, x in {"Python": X, "NumPy": X, "Numba": 2 * X}.items()
    }
    same = {"Python": True, "NumPy": True, "Numba": False}
    assert conversions.arrived(journeys) == same


def test_the_steps_of_all_journeys_are_told_apart():
    variants = ("Python", "NumPy")
    journeys = {
        variant: Journey(PROBLEMS["polynomial"], variant, X)
        for variant in variants
    }
    calls = conversions.steps(journeys)
    times = measure(calls, budget=0.1, rounds=1, min_sample=1e-4)
    parts = conversions.parts(times, 7)
    assert {variant: list(each) for variant, each in parts.items()} == {
        variant: STEPS[variant] for variant in variants
    }
    whole = times.seconds("NumPy: array to list").value
    assert parts["NumPy"]["array to list"].value == pytest.approx(whole / 7)


def test_jax_gets_the_array_wherever_it_begins():
    variants = conversions.put()
    assert len(variants) == 2
    for variant in variants.values():
        assert [np.asarray(variant(n)).tolist() for n in (3, 7)] == [
            [0.0] * 3,
            [0.0] * 7,
        ]


def test_the_numbers_arrive_by_each_way():
    arrays = {3: X[:3], 7: X}
    there, back = conversions.into(arrays), conversions.out_of(arrays)
    assert set(back) == {
        " to ".join(reversed(name.split(" to "))) for name in there
    }
    for n, array in arrays.items():
        assert np.array_equal(there["list to array"](n), array)
        assert np.array_equal(there["array to PyTorch"](n).numpy(), array)
        assert back["array to list"](n) == array.tolist()
        assert np.array_equal(back["PyTorch to array"](n), array)


def test_who_shares_memory_is_found_by_trying():
    shared = conversions.shared()
    assert shared["array to PyTorch"] == [True, "yes"]
    assert shared["array to TensorFlow"] == [False, "no"]


def test_what_lacks_its_library_fails_when_it_is_called(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(
        sys.modules, "onthefly.tools.quiet_torch", raising=False
    )
    there = conversions.into({7: X})
    journey = Journey(PROBLEMS["polynomial"], "PyTorch", X)
    trial = conversions.trials()["array to PyTorch"]
    for call in (lambda: there["array to PyTorch"](7), journey, trial):
        with pytest.raises(ImportError):
            call()
