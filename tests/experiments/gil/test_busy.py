"""Processors that a call keeps busy."""

import time

from onthefly.experiments.gil import busy
from onthefly.measure import clock


def processors(call, *arguments):
    sampler = busy.sampler(call, *arguments)
    times = clock.sample({"call": sampler}, budget=0.2, first="unknown")
    return (
        times.series("processor").values[0] / times.series("clock").values[0]
    )


def test_a_call_that_sleeps_keeps_no_processor_busy():
    assert 0 <= processors(time.sleep, 0.02) < 0.5


def test_a_loop_keeps_at_most_its_own_processor_busy():
    assert 0 < processors(sum, range(10**6)) < 1.2
