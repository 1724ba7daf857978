"""The first call, step by step, each sample in a process of its own."""

from onthefly.experiments.gpu import first_call


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
