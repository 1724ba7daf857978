"""The first page's answer: from the results of one page, or none."""

import dataclasses

import pytest

from onthefly.measure import data, records
from onthefly.measure.quantity import Quantity
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings
from onthefly.page import claims, results
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
    judged  what its run says of claims, or that run and others, in lists;
            by default nothing
    """

    def make(*names, judged=()):
        measured.machine["slug"] = "box"
        measured.page = "all-the-ways"
        results.save(measured)
        own = data.Data(measured.page, "S", machine=measured.machine)
        if names:
            own.add("ways", {}, times(*names))
        data.save(own, records.path_of(measured.page, "S", "box"))
        stamp = {"chapter": "all-the-ways", "machine": "box"}
        copy = Copy({"measuring/all_the_ways": stamp} if names else {})
        every = [one if isinstance(one, list) else [one] for one in judged]
        copy.judged = {runs[0].claim.id: runs for runs in every}
        return answer.page(copy, {})

    return make


def test_the_winner_its_gain_and_the_picture(first_page):
    text = first_page("NumPy", "Numba, hash", "Python")
    assert "at every size: NumPy" in text
    assert "NumPy is 4.0 times as fast as it" in " ".join(text.split())
    assert "<svg" in text and "0 % of its series are" in text


@pytest.mark.parametrize("names", [[], ["Numba, hash"], ["Numba, hash", "C"]])
def test_a_copy_that_cannot_say_says_so(first_page, names):
    text = first_page(*names)
    assert "cannot say" in text and "<svg" not in text


def judged(claim, verdict, times):
    reason = "one over the other; outside 1"
    own = claims.Verdict(claim, verdict, reason, Quantity(times, 1, 10, "×"))
    return Judged(own, None, True)


def test_the_farthest_falls_are_listed_one_from_a_page(first_page):
    base = claims.load().claims["numba-jit-against-python"]  # near 21
    one = dataclasses.replace(base, chapter="races", case="")
    again = dataclasses.replace(one, id="again")
    other = dataclasses.replace(base, id="other", chapter="dask", case="")
    found = [judged(other, "contradicted", 5), judged(again, "weaker", 9),
             judged(one, "contradicted", 2)]  # fmt: skip
    text = first_page("NumPy", "Python", judged=found)
    section = text.partition("## What did not hold")[2].partition("\n## ")[0]
    items = section.split("\n- ")[1:]
    assert ["2.00×" in items[0], "5.00×" in items[1]] == [True, True]
    assert len(items) == 2


def test_what_a_recorded_run_decides_is_said(first_page, measured):
    claim = claims.load().claims["numba-jit-against-python"]
    runs = [
        Judged(claims.Verdict(claim, verdict, ""), measured, here)
        for verdict, here in (("not resolved", True), ("reproduced", False))
    ]
    text = first_page("NumPy", "Python", judged=[runs])
    assert "1 not resolved (1 of these decided by a run" in text
