"""What a debugger sees, and where an error surfaces; without TensorFlow."""

import sys

import pytest

from onthefly.experiments.tensorflow import looks


def half(number):
    """Return half a number, after a stop."""
    result = number / 2
    breakpoint()
    return result


def thirds(number):
    """Divide by a third that is too small."""
    third = number // 3
    return number / third


def test_the_debugger_sees_the_values_at_each_stop():
    lines = looks.said(lambda: [half(3), half(8)], "p result", "p number")
    assert lines == ["1.5", "3", "4.0", "8"]


def test_the_hook_is_given_back_when_the_call_raises():
    before = sys.breakpointhook

    def fails():
        half(1)
        raise RuntimeError("later")

    with pytest.raises(RuntimeError, match="later"):
        looks.said(fails, "p result")
    assert sys.breakpointhook is before


def test_an_error_has_the_lines_that_it_came_through():
    error = looks.surfaced(lambda: thirds(2))
    assert error.kind == "ZeroDivisionError"
    assert error.lines[-1] == "return number / third"
    assert error.through("number / third")
    assert not error.through("number // 3")
    assert looks.surfaced(lambda: thirds(3)) is None
