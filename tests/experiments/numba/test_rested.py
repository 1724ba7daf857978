"""Calls that begin when nothing else of the process works."""

import math

import pytest

from onthefly.experiments.numba import rested
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings


@pytest.fixture
def clocks(monkeypatch):
    """A function that sets the process's clocks: they go while it sleeps.

    It takes how many seconds the process works, and returns the times.
    """

    def set_to(work):
        now = [0.0]
        for name, clock in (
            ("sleep", lambda s: now.append(now[-1] + s)),
            ("monotonic", lambda: now[-1]),
            ("process_time", lambda: min(now[-1], work)),
        ):
            monkeypatch.setattr(rested.time, name, clock)
        return now

    return set_to


def test_a_process_settles_when_its_threads_have_ended(clocks):
    clocks(0.03)
    assert 0.03 < rested.settle(step=0.003, most=0.1) < 0.04


def test_who_never_rests_is_not_waited_for(clocks):
    """A process whose every second is a second of work."""
    now = clocks(math.inf)
    assert 0.1 <= rested.settle(step=0.003, most=0.1) < 0.104
    assert 34 <= len(now) <= 36


def test_calls_in_a_row_make_a_sample_long_enough():
    calls = []
    sample = rested.in_a_row(calls.append, least=0.002)
    assert 0 < sample(7) < 0.002 and set(calls) == {7}
    assert len(calls) * sample(7) > 0.001


def times(fast):
    """Return Timings of "slow", 1 s a call, and "fast" at some sizes."""
    series = [
        Series(name, size, None, (seconds,) * 8)
        for size, seconds in fast.items()
        for name, seconds in (("slow", 1.0), ("fast", seconds))
    ]
    return Timings(series)


@pytest.mark.parametrize(
    ("fast", "size"),
    [({1: 2.0, 2: 0.5, 3: 0.5}, 2), ({1: 0.5, 2: 2.0, 3: 0.5}, 3),
     ({1: 0.5, 2: 0.5}, 1), ({1: 0.5, 2: 2.0}, None)],
)  # fmt: skip
def test_ahead_means_at_every_larger_size(fast, size):
    assert rested.ahead_from(times(fast), "slow", "fast") == size
