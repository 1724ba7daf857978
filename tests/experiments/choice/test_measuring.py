"""How a problem is measured: what is taken, compared, and kept apart."""

import dataclasses
import types

from onthefly.experiments.choice import measuring
from onthefly.experiments.choice.pairs import PAIRS
from onthefly.experiments.choice.reasons import REASONS
from onthefly.kernels.problems import PROBLEMS

BOOK = types.SimpleNamespace(
    seed=1,
    budget=0.01,
    pick=lambda **choices: choices["S"],
    on_gpu=lambda library: False,
)


def test_a_variant_that_is_not_plain_pythons_is_named():
    dot = PROBLEMS["dot"]
    assert measuring.wrong(dot, ["NumPy", "routine"]) == []
    never = dataclasses.replace(dot, same=lambda *results: False)
    assert measuring.wrong(never, ["NumPy"]) == ["NumPy"]


def test_sizes_between_are_measured_in_the_same_rounds(monkeypatch):
    monkeypatch.setattr(measuring, "names", lambda *_: ["Python", "NumPy"])
    trial = measuring.Trial(PROBLEMS["dot"], BOOK)
    assert set(trial.taken()) == set(trial.firsts().names)
    taken = {"Python": [10, 40, 90], "NumPy": [10, 40]}
    times = trial.times(taken)
    assert times.series("NumPy", 20).values
    assert {s.size for s in times if s.name == "Python"} == {10, 20, 40, 90}
    assert measuring.unseen(taken) == {"Python": [20], "NumPy": [20]}


def test_every_problem_has_a_reason_and_the_pair_that_shows_it():
    assert PAIRS.keys() == REASONS.keys() == PROBLEMS.keys()
    for make, _ in PAIRS.values():
        for call in make(20_000, 0).values():
            call()
