"""Stacks of Python, NumPy and Numba, each a program; instructions counted."""

import pytest

from onthefly import machine
from onthefly.experiments.numba import instructions_child, stacks
from onthefly.kernels import pi_numba_streams as streams
from onthefly.kernels import sigmas
from onthefly.tools import assembly, processes


@pytest.mark.parametrize("python", list(stacks.pythons().values()))
def test_a_stack_answers(python):
    with stacks.stack(python) as stack:
        assert set(stack.ask("versions")) == {"Python", "NumPy", "Numba"}
        for way in ("Python", "NumPy", "Numba", "Numba on NumPy"):
            assert sigmas(stack.ask("estimate", way, 10**5), 10**5) < 5
            assert stack.ask("seconds", way, 100, 2) > 0
        code = assembly.function(stack.ask("code"))
    assert code.counts()["instructions"] > 20 and code.loops()


def test_an_unknown_way_is_told_and_the_stack_goes_on():
    with stacks.stack() as stack:
        with pytest.raises(processes.Failed, match="no such way"):
            stack.ask("estimate", "no such way", 10)
        assert 0 <= stack.ask("estimate", "Python", 10) <= 4


def test_ways_are_measured_in_turns():
    with stacks.stack() as one, stacks.stack() as other:
        times = stacks.measure(
            {"one": one, "other": other},
            {"one": ["Python", "Numba"], "other": ["Numba"]},
            shots=1000,
            rounds=6,
        )
    names = ["Numba, one", "Numba, other", "Python, one"]
    assert sorted(times.names) == names
    assert all(len(series.values) == 6 for series in times)
    assert times.first("Numba, one") is None


def test_raising_the_limit_inlines_the_draw():
    with stacks.stack(inline=275) as stack:
        raised = assembly.function(stack.ask("code"))
    streams.hits_forced(1)
    for code in (raised, assembly.of(streams.hits_forced)):
        called = "\n".join(code.instructions)
        assert "numba_rnd_shuffle" in called


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
    if None in found:
        pytest.skip("this system lets no process be stepped")
    counts = [round(f[instructions_child.CODE], 3) for f in found]
    assert counts[0] == counts[1]
    assert 15 < counts[0] < 120


def test_the_second_process_loads_from_the_cache():
    found = stacks.cached_starts(3)
    assert [loaded for _, loaded in found] == [False, True, True]
    assert all(seconds > 0 for seconds, _ in found)
