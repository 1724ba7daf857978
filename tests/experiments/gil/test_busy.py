"""Processors that a call keeps busy."""

import time

from onthefly.experiments.gil import busy


def test_a_call_that_sleeps_keeps_no_processor_busy():
    used = busy.processors(lambda: time.sleep(0.02), budget=0.2, rounds=8)
    assert used.unit == "×" and 0 <= used.value < 0.5


def test_a_loop_keeps_at_most_its_own_processor_busy():
    used = busy.processors(lambda: sum(range(10**6)), budget=0.2, rounds=8)
    assert 0 < used.value < 1.2
