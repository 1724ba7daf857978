"""Hand-overs of the GIL, counted by a witness."""

import sys
import time

import pytest

from onthefly.experiments.gil.handovers_standalone import (
    handovers,
    onset,
    released,
)

GIL = getattr(sys, "_is_gil_enabled", lambda: True)()
needs_gil = pytest.mark.skipif(not GIL, reason="this build has no GIL")


@needs_gil
def test_a_loop_of_the_interpreter_holds_the_gil():
    counts = handovers(lambda: sum(k for k in range(10**5)), 5)
    assert counts["ticks"] == 0
    assert counts["held"] == 1


def test_a_sleep_lets_go():
    assert released(lambda: time.sleep(0.002)) > 0


def test_the_switch_interval_is_put_back():
    before = sys.getswitchinterval()

    def fail():
        fail.calls += 1
        if fail.calls > 1:
            raise OSError("on purpose")

    fail.calls = 0
    with pytest.raises(OSError, match="on purpose"):
        handovers(fail)
    assert sys.getswitchinterval() == before


@needs_gil
def test_the_onset_is_where_a_call_begins_to_let_go():
    def make(size):
        if size < 37:
            return lambda: sum(range(100))
        return lambda: time.sleep(0.0005)

    assert onset(make, 1, 100, calls=5) == 37
    assert onset(make, 50, 100, calls=5) is None  # lets go at both ends
    assert onset(make, 1, 30, calls=5) is None  # at neither
