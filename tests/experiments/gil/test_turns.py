"""When loops run, and when they wait."""

import time

from onthefly.experiments.gil import turns


def test_a_loop_alone_has_turns_that_fill_its_time():
    start = time.perf_counter()
    spans = turns.turns(start + 0.03)
    assert all(a <= b for a, b in spans)
    assert spans == sorted(spans)
    assert start <= spans[0][0] and spans[-1][1] < start + 0.03


def test_a_wait_ends_a_turn(monkeypatch):
    clock = iter([1.0, 1.0005, 1.0009, 1.2, 1.2001, 9.0])
    monkeypatch.setattr(turns.time, "perf_counter", lambda: next(clock))
    assert turns.turns(2.0) == [[1.0, 1.0009], [1.2, 1.2001]]


def test_at_once_is_what_the_turns_of_both_share():
    spans = {
        "thread 1": [[0.0, 1.0], [2.0, 3.0]],
        "thread 2": [[1.0, 2.0], [3.0, 4.0]],
        "process 1": [[0.0, 1.0], [2.0, 4.0]],
        "process 2": [[0.0, 3.0]],
    }
    assert turns.at_once(spans, "thread").value == 0
    assert turns.at_once(spans, "process").value == 0.5
