"""The first call, step by step, each sample in a process of its own."""

import pytest

from onthefly.experiments.gpu import first_call
from onthefly.tools import processes


def test_a_fresh_process_tells_its_steps():
    found = first_call.parts(1)
    steps = ["import", "states, first", "states, second", "load the compiler"]
    assert found.names[:4] == steps
    first, second = (
        found.seconds(f"states, {k}") for k in ("first", "second")
    )
    assert first.value > second.value > 0  # the first compiles
    assert found.first("import") is None


def test_what_a_process_is_asked_in_vain_is_told():
    with pytest.raises(processes.Failed, match="nothing"):
        first_call.ask("nothing")


def test_cached_and_cold_calls_take_turns(monkeypatch):
    asked = []

    def ask(function, cache=False, **environment):
        asked.append((cache, sorted(environment)))
        return {"first call": 1.0 if cache else 2.0, "second call": 0.5}

    monkeypatch.setattr(first_call, "ask", ask)
    times = first_call.calls(6)
    assert times.names == ["first call", "second call", "cached call"]
    values = {q: times.seconds(q).value for q in times.names}
    assert list(values.values()) == [2.0, 0.5, 1.0]
    assert len(asked) == 13  # one fills the cache
    assert asked[0] == (True, ["NUMBA_CACHE_DIR"])
    assert asked.count((False, ["CUDA_CACHE_DISABLE"])) == 6
