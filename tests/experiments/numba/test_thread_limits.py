"""How many threads a loop of the talk's Numba has."""

import pytest

from onthefly.experiments.numba import limits


def test_the_variable_and_the_call_are_tried():
    found = limits.in_2018()
    if not found:
        pytest.skip("no stack of 2018")
    assert set(found) == {*limits.SETTINGS, limits.CALL}
    assert all(found[setting] >= 1 for setting in limits.SETTINGS)
    assert found[limits.CALL] is False  # it came with 0.49


def test_without_a_stack_there_is_nothing(monkeypatch):
    monkeypatch.setattr(limits.environments, "made", lambda prefix: {})
    assert limits.in_2018() == {}
