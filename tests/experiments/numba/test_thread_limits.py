"""How many threads a loop of the talk's Numba has."""

import pytest

from onthefly.experiments.numba import thread_limits


def test_the_variable_and_the_call_are_tried():
    found = thread_limits.in_2018()
    if not found:
        pytest.skip("no stack of 2018")
    assert set(found) == {*thread_limits.SETTINGS, thread_limits.CALL}
    assert all(found[setting] >= 1 for setting in thread_limits.SETTINGS)
    assert found[thread_limits.CALL] is False  # it came with 0.49


def test_without_a_stack_there_is_nothing(monkeypatch):
    monkeypatch.setattr(thread_limits.environments, "made", lambda prefix: {})
    assert thread_limits.in_2018() == {}
