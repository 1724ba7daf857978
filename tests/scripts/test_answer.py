"""The first page's answer: from the results of one page, or none."""

import dataclasses

import pytest

from onthefly import claims, results
from onthefly.timings import Series, Timings
from rendering import answer


def times(*names):
    """Timings in which each name takes twice the time of the one before."""
    return Timings(
        [
            Series(name, n, None, (2**k * n * 1e-8,) * 10)
            for k, name in enumerate(names)
            for n in (10, 1000)
        ],
        cores=2,
    )


@pytest.fixture
def copy(measured, shelf):
    """A function that makes a copy whose ways are given by name."""

    def make(*names):
        measured.machine["slug"] = "box"
        measured.chapter = "all-the-ways"
        measured.timings = {"ways": times(*names)}
        results.save(measured)
        return {
            "05_all_the_ways": {"chapter": "all-the-ways", "machine": "box"}
        }

    return make


def test_the_winner_its_gain_and_the_picture(copy):
    text = answer.answer(copy("NumPy", "Numba, hash", "Python"), {})
    assert "at every size: NumPy" in text
    assert "NumPy is 4.00× as fast" in text
    assert "<svg" in text and "0 % of its series are" in text


@pytest.mark.parametrize("names", [["Numba, hash"], ["Numba, hash", "C"]])
def test_a_copy_that_cannot_say_says_so(copy, names):
    text = answer.answer(copy(*names), {})
    assert "cannot say" in text and "<svg" not in text
    assert "cannot say" in answer.answer({}, {})


def row(claim, verdict):
    return {
        "id": claim.id, "verdict": verdict, "measured": "3.00×",
        "interval": "2.00 to 4.00", "published": claim.figure,
        "reason": "one over the other; outside 9",
    }  # fmt: skip


def test_claims_that_fell_are_told_those_with_a_case_first(copy, monkeypatch):
    ledger = claims.load()
    exist = claims.written()
    published = [
        c for c in ledger.claims.values()
        if c.chapter in exist and c.source != claims.AIMS
    ]  # fmt: skip
    several = {c.chapter: c for c in published}
    lessons = [c for k, c in several.items() if not k.startswith("case-")]
    last, case = lessons[-1], "case-the-jump"
    followed = dataclasses.replace(last, case=case)
    monkeypatch.setitem(ledger.claims, last.id, followed)
    verdicts = {c.chapter: [row(c, "contradicted")] for c in lessons}
    text = answer.answer(copy("NumPy", "Python"), verdicts)
    items = [x for x in text.splitlines() if x.startswith("- ")]
    assert len(items) == answer.MOST
    assert exist[case].stem in items[0]
    said = "**Here: 3.00× (2.00 to 4.00)**, contradicted (one over the other)"
    assert said in items[0]


def test_what_held_did_not_fall(copy):
    claim = next(iter(claims.load().claims.values()))
    verdicts = {claim.chapter: [row(claim, "reproduced")]}
    assert "did not hold" not in answer.answer(copy("NumPy", "C"), verdicts)
