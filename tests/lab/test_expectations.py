"""Conclusions, and what a run makes of them."""

import math

import numpy as np
import pytest

from onthefly import page, results
from onthefly.quantity import EXAMPLE, Quantity

PAGE = "case-the-jump"  # which judges no claim
GAIN = Quantity(3, 2.5, 3.5, "×")


@pytest.fixture
def chapter(shown):
    return page.Chapter(PAGE, preset="S")


@pytest.mark.parametrize(
    ("conditions", "verdict"),
    [
        ([GAIN > 1, True, np.bool_(True)], "holds"),
        ([GAIN > 1, [GAIN < 2]], "not so"),
        ([None], "not resolved"),
        ([GAIN > 3, GAIN > 4], "not so"),
    ],
)
def test_the_intervals_decide(chapter, conditions, verdict):
    conclusion = chapter.expect("It gains.", *conditions)
    assert conclusion.verdict == verdict
    assert chapter._results.expected["It gains."]["verdict"] == verdict
    shown = conclusion._repr_html_()
    assert bool(shown) == bool(str(conclusion)) == (verdict != "holds")


def test_what_does_not_hold_is_shown_with_its_numbers(chapter):
    text = str(chapter.expect("it gains", GAIN > 4, GAIN < 9))
    assert "Not so" in text and "3.00× (2.50 to 3.50)" in text
    assert "9" not in text


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
        (Quantity(3, 2, 4, "×", origin=EXAMPLE), "not measured yet"),
    ],
)
def test_what_is_left_open_says_why(chapter, gain, reason):
    assert reason in str(chapter.expect("it gains", gain > 3))


def test_what_is_asked_after_the_end_is_kept(chapter, tmp_path):
    chapter.measure("one", {"sum": lambda: sum(range(9))}, share=0.01)
    chapter.close()
    chapter.expect("It gains.", GAIN > 4)
    (path,) = results.results_dir().glob(f"*/{PAGE}.json")
    kept = results.load(path).expected["It gains."]
    assert (
        kept["verdict"] == "not so" and "expected above 4" in kept["numbers"]
    )


@pytest.mark.parametrize(
    ("text", "conditions", "error"),
    [
        ("It gains.", [], ValueError),
        (" ", [True], ValueError),
        ("It gains.", [GAIN], TypeError),
    ],
)
def test_what_is_no_condition_is_refused(chapter, text, conditions, error):
    with pytest.raises(error):
        chapter.expect(text, *conditions)
