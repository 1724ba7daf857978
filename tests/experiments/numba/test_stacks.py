"""Stacks of Python, NumPy and Numba, each a program; instructions counted."""

import pytest

from onthefly.experiments.numba import stacks
from onthefly.kernels import z_score
from onthefly.measure import machine

WAYS_COUNTED = ("Numba", "forced")


@pytest.mark.parametrize("python", list(stacks.pythons().values()))
def test_a_stack_answers(python):
    with stacks.stack(python) as stack:
        for way in ("Python", "NumPy", "Numba", "Numba on NumPy"):
            assert z_score(stack.ask("estimate", way, 10**5), 10**5) < 5
            assert stack.ask("seconds", way, 100, 2) > 0


def test_stacks_are_measured_in_turns():
    samples = stacks.then_and_now(0.01, shots=1000)
    names = {f"{way}, {k}" for k in stacks.pythons() for way in stacks.WAYS}
    assert set(samples.names) == names | {"forced, now"}
    assert all(len(s.values) == stacks.ROUNDS for s in samples)
    assert samples.series("Numba, now").first is None
    now, forced = (samples.series(f"{k}, now").counts for k in WAYS_COUNTED)
    assert samples.series("Python, now").counts == {}
    if not now:
        pytest.skip("this system lets no process be stepped")
    assert forced["instructions"] < now["instructions"]
    assert set(forced["state lookup"]) == {0.0}


@pytest.mark.skipif(
    machine.platform.machine() != "x86_64"
    or machine.platform.system() != "Linux",
    reason="instructions are counted on Linux and x86-64 only",
)
def test_instructions_are_counted_exactly():
    with stacks.stack() as stack:
        each = [
            stack.ask("instructions", "xoshiro", few, 16) for few in (4, 8)
        ]
    if {} in each:
        pytest.skip("this system lets no process be stepped")
    counts = [round(one["instructions"], 3) for one in each]
    assert counts[0] == counts[1]
    assert 15 < counts[0] < 120
