"""Stacks of Python, NumPy and Numba, each a program; instructions counted."""

import pytest

from onthefly import machine
from onthefly.experiments.numba import stacks
from onthefly.kernels import pi_numba_streams as streams
from onthefly.kernels import z_score
from onthefly.tools import assembly, processes

WAYS_COUNTED = ("Numba", "forced")


@pytest.mark.parametrize("python", list(stacks.pythons().values()))
def test_a_stack_answers(python):
    with stacks.stack(python) as stack:
        assert set(stack.ask("versions")) == {"Python", "NumPy", "Numba"}
        for way in ("Python", "NumPy", "Numba", "Numba on NumPy"):
            assert z_score(stack.ask("estimate", way, 10**5), 10**5) < 5
            assert stack.ask("seconds", way, 100, 2) > 0
        code = assembly.function(stack.ask("code"))
    assert code.counts()["instructions"] > 20 and code.loops()


def test_an_unknown_way_is_told_and_the_stack_goes_on():
    with stacks.stack() as stack:
        with pytest.raises(processes.Failed, match="no such way"):
            stack.ask("estimate", "no such way", 10)
        assert 0 <= stack.ask("estimate", "Python", 10) <= 4


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


def test_what_is_not_pi_is_refused(monkeypatch):
    monkeypatch.setattr(stacks, "z_score", lambda found, shots: 6)
    with pytest.raises(ValueError, match="is not π"):
        stacks.then_and_now(0.01, shots=1000)


def test_a_limit_above_the_draws_cost_inlines_it():
    called = {}
    with stacks.stack() as program:
        for limit in (200, 300):
            with program.fork() as copy:
                copy.ask("inline", limit)
                code = assembly.function(copy.ask("code"))
            called[limit] = "\n".join(code.instructions)
    assert "numba_rnd_shuffle" not in called[200]
    assert "numba_rnd_shuffle" in called[300]


def test_a_process_for_each_limit_takes_the_time():
    with stacks.Inlined([200, 300], shots=1000) as loop:
        assert all(loop(limit) > 0 for limit in (200, 300))
    with pytest.raises(processes.ProcessError):
        loop(200)


def test_force_inlines_the_draw():
    streams.hits_forced(1)
    code = assembly.of(streams.hits_forced)
    assert "numba_rnd_shuffle" in "\n".join(code.instructions)


@pytest.mark.skipif(
    machine.platform.machine() != "x86_64"
    or machine.platform.system() != "Linux",
    reason="instructions are counted on Linux and x86-64 only",
)
def test_instructions_are_counted_exactly():
    with stacks.stack() as stack:
        found = [
            stack.ask("instructions", "xoshiro", few, 16) for few in (4, 8)
        ]
    if {} in found:
        pytest.skip("this system lets no process be stepped")
    counts = [round(f["instructions"], 3) for f in found]
    assert counts[0] == counts[1]
    assert 15 < counts[0] < 120


def test_the_second_process_loads_from_the_cache():
    found = stacks.cached_starts(3)
    assert [loaded for _, loaded in found] == [False, True, True]
    assert all(seconds > 0 for seconds, _ in found)
