"""The talk's arrays under numba.jit, on each stack."""

from onthefly.experiments.numba import jitted, stacks


def test_jit_falls_back_to_objects_or_refuses():
    outcomes = jitted.outcomes()
    assert set(outcomes) == set(stacks.pythons())
    assert outcomes["now"].endswith("Error")
    assert outcomes.get("then", "objects") == "objects"


def test_stacks_take_turns():
    times = jitted.then_and_now(0.01, shots=1000)
    names = {
        f"{way}, {stack}"
        for stack in stacks.pythons()
        for way in jitted.WAYS[stack]
    }
    assert set(times.names) == names
    assert all(len(series.values) >= 6 for series in times)
