"""The first page's answer: from the results of one page, or none."""

import dataclasses

import pytest

from onthefly import claims, data, results
from onthefly.quantity import Quantity
from onthefly.samples import Series
from onthefly.timings import Timings
from rendering import answer
from rendering.copy import Copy, Judged


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
def first_page(measured, archive):
    """A function that makes the first page of a copy.

    names   of the ways that it measured
    judged  what its runs say of claims, by default nothing
    """

    def make(*names, judged=()):
        measured.machine["slug"] = "box"
        measured.page = "all-the-ways"
        results.save(measured)
        own = data.Data(measured.page, "S", machine=measured.machine)
        if names:
            own.add("ways", {}, times(*names))
        data.save(own, data.path_of(measured.page, "S", "box"))
        stamp = {"chapter": "all-the-ways", "machine": "box"}
        copy = Copy({"measuring/all_the_ways": stamp} if names else {})
        copy.judged = {one.claim.id: [one] for one in judged}
        return answer.page(copy, {})

    return make


def test_the_winner_its_gain_and_the_picture(first_page):
    text = first_page("NumPy", "Numba, hash", "Python")
    assert "at every size: NumPy" in text
    assert "NumPy is 4.00 times as fast as it" in " ".join(text.split())
    assert "<svg" in text and "0 % of its series are" in text


@pytest.mark.parametrize("names", [[], ["Numba, hash"], ["Numba, hash", "C"]])
def test_a_copy_that_cannot_say_says_so(first_page, names):
    text = first_page(*names)
    assert "cannot say" in text and "<svg" not in text


def judged(claim, verdict):
    reason = "one over the other; outside 9"
    own = claims.Verdict(claim, verdict, reason, Quantity(3, 2, 4, "×"))
    return Judged(own, None, True)


def test_claims_that_did_not_hold_are_listed_those_with_a_case_first(
    first_page,
):
    exist = claims.written()
    of_pages = {
        c.chapter: c for c in claims.load().claims.values()
        if c.chapter in exist and c.source != claims.AIMS
        and not c.chapter.startswith("case-")
    }  # fmt: skip
    *others, last = of_pages.values()
    case = "case-the-jump"
    fell = [*others, dataclasses.replace(last, case=case)]
    text = first_page(
        "NumPy", "Python", judged=[judged(c, "contradicted") for c in fell]
    )
    section = text.partition("## What did not hold")[2].partition("\n## ")[0]
    items = section.split("\n- ")[1:]
    assert len(items) == answer.MOST
    assert exist[case].stem in items[0]
    assert "3.00× (2.00 to 4.00)" in items[0]
