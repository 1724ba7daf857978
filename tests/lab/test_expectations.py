"""Conditions, and what a run makes of them."""

import math

import numpy as np
import pytest

from onthefly.measure.quantity import Quantity
from onthefly.page import expectations

GAIN = Quantity(3, 2.5, 3.5, "×")


@pytest.mark.parametrize(
    ("conditions", "verdict"),
    [
        ([GAIN > 1, True, np.bool_(True)], "holds"),
        ([GAIN > 1, [GAIN < 2]], "not so"),
        ([None], "not resolved"),
        ([GAIN > 3, GAIN > 4], "not so"),
        ([expectations.check("", [GAIN > 4]), True], "not so"),
        ([expectations.check("", [GAIN > 3])], "not resolved"),
    ],
)
def test_the_intervals_decide(conditions, verdict):
    conclusion = expectations.check("It gains", conditions)
    assert conclusion.verdict == verdict
    shown = conclusion._repr_html_()
    assert bool(shown) == bool(str(conclusion)) == (verdict != "holds")


def test_what_does_not_hold_is_shown_with_its_numbers():
    text = str(expectations.check("it gains", [GAIN > 4, GAIN < 9]))
    assert "Not so" in text and "3.00× (2.50 to 3.50)" in text
    assert "9" not in text
    alone = str(expectations.check("", [GAIN > 4]))
    assert alone.startswith(" Not so in these data. Measured 3.00×")


@pytest.mark.parametrize(
    ("gain", "reason"),
    [
        (GAIN, "the interval spans the limit"),
        (Quantity(3, -math.inf, math.inf, "×"), "too few samples"),
        (Quantity(3, 1, 4, "×", disturbed=0.5), "had up to 50 % of its time"),
        (
            Quantity(3, 0, math.inf, "×", disturbed=1.0),
            "had up to 100 % of its time",
        ),
    ],
)
def test_what_is_left_open_says_why(gain, reason):
    assert reason in str(expectations.check("it gains", [gain > 3]))


@pytest.mark.parametrize(
    ("conditions", "error"), [([], ValueError), ([GAIN], TypeError)]
)
def test_what_is_no_condition_is_refused(conditions, error):
    with pytest.raises(error):
        expectations.check("It gains", conditions)
