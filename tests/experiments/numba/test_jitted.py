"""The talk's arrays under numba.jit, on each stack."""

from onthefly.experiments.numba import jitted, stacks


def test_jit_falls_back_to_objects_or_refuses():
    outcomes = jitted.outcomes()
    assert set(outcomes) == set(stacks.pythons())
    assert outcomes["now"].endswith("Error")
    assert outcomes.get("then", "objects") == "objects"


def test_stacks_take_turns():
    times = jitted.then_and_now(0.01, sizes=(1000, 2000))
    each = {
        (f"{way}, {stack}", size)
        for stack in stacks.pythons()
        for way in jitted.WAYS[stack]
        for size in (1000, 2000)
        if size == 1000 or way in jitted.DECORATED[stack]
    }
    assert {(one.name, one.size) for one in times} == each
    assert all(len(series.values) >= 6 for series in times)
