"""Sentences that say what a figure shows."""

import pytest

from onthefly import findings
from onthefly.quantity import Quantity


def near(value, unit="s", part=0.05):
    """A Quantity whose interval reaches so far around it."""
    return Quantity(value, value * (1 - part), value * (1 + part), unit)


CROSSING = {
    "loop": {10: near(1e-6), 100: near(1e-5), 1000: near(1e-4)},
    "array": {10: near(5e-6), 100: near(1.02e-5), 1000: near(2e-5)},
}


def test_lines_that_cross_name_both_ranges_and_what_is_open():
    text = findings.of_lines(CROSSING, x="shots", y="time", better="less")
    assert "loop at 10 shots" in text
    assert "array from 1,000 shots on" in text
    assert "Not resolved at 100" in text
    assert "20.0 µs" in text and "5.00×" in text


def test_what_is_ahead_depends_on_the_side():
    speeds = {"a": {1: near(2, "×")}, "b": {1: near(4, "×")}}
    more = findings.of_lines(speeds, x="threads", y="speed", better="more")
    less = findings.of_lines(speeds, x="threads", y="time", better="less")
    assert "every size: b" in more and "every size: a" in less


@pytest.mark.parametrize("name", ["ahead", "behind"])
def test_bars_are_resolved_or_not(name):
    gap = 1.02 if name == "ahead" else 2
    bars = {"x": near(1.0), "y": near(gap), "z": near(9)}
    text = findings.of_bars(bars, better="less")
    assert ("not resolved" in text) == (name == "ahead")
    assert "x" in text and "y" in text
