"""What became of the probes, in tables and shares."""

from onthefly.experiments.numba import outcomes

OUTCOMES = {
    "if": "same",
    "with": "refused: no context",
    "old": "gone: no old",
}


def test_a_share_counts_what_is_as_in_python():
    assert outcomes.share(OUTCOMES).value == 1 / 3


def test_what_is_said_may_be_that_it_is_refused():
    held = outcomes.as_said(OUTCOMES, {"if", "with"})
    assert held == {"if": False, "with": True, "old": False}


def test_what_could_not_be_asked_is_left_out():
    asked = {"if": "same", "yield": "crash", "match": "not in this Python"}
    assert outcomes.as_said(asked, {"yield"}) == {"if": True}


def test_another_wording_of_an_error_is_no_change():
    then = {"language": {"if": "crash", "with": "refused: another word"}}
    now = {"language": {"if": "same", "with": "refused: no context"}}
    assert outcomes.changed(then, now) == [
        {"probe": "if", "in 2018": "crash", "today": "same"}
    ]
