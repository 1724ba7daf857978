"""Random numbers drawn in two threads."""

import numpy as np

from onthefly.experiments.arrays import drawing
from onthefly.timings import Series, Timings


def test_each_generator_draws_all_its_numbers(monkeypatch):
    monkeypatch.setattr(drawing, "NUMBERS", 600)
    rngs = np.random.default_rng(1).spawn(2)
    drawing.in_threads(drawing.draw, rngs, 100)
    drawing.in_series(drawing.draw, rngs, 200)
    for rng, same in zip(
        rngs, np.random.default_rng(1).spawn(2), strict=True
    ):
        same.random(1200)
        assert rng.random() == same.random()


def test_each_name_is_measured_in_series_and_in_threads():
    drawn = []
    ways = drawing.ways({"a": [1, 2], "b": [3]}, lambda *of: drawn.append(of))
    for way in ways.values():
        way(10)
    assert sorted(drawn) == sorted(2 * [(1, 10), (2, 10), (3, 10)])


def test_threads_are_held_against_the_series():
    seconds = {"series": {10: 6.0, 20: 9.0}, "threads": {10: 3.0, 20: 6.0}}
    times = Timings(
        [
            Series(f"a, b, in_{way}", size, None, (value,) * 6)
            for way, points in seconds.items()
            for size, value in points.items()
        ],
        cores=2,
    )
    ((name, gains),) = drawing.gains(times).items()
    assert name == "a, b"
    assert {size: q.value for size, q in gains.items()} == {10: 2, 20: 1.5}


def test_a_lock_holds_up_who_draws_from_its_generator():
    one, other = np.random.default_rng(1).spawn(2)
    lock = one.bit_generator.lock
    assert drawing.waits_for(lock, one.random)
    assert not drawing.waits_for(lock, other.random)
