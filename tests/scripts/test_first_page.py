"""The first page: what each method gains, and the tally of claims."""

import re

import pytest

from cases import eight_problems, keep
from onthefly.page import claims
from rendering import first_page, gains
from rendering.copy import Copy, Judged

ROW = re.compile(r'<th scope="row">(.*?)</tr>')
GAIN = re.compile(r"n = ([\d,]+)\">([\d.,]+)×")


@pytest.fixture
def page(archive):
    """A function that makes the first page of a copy.

    judged  [runs of a claim], as Copy.judged has them
    """

    def make(judged=()):
        copy = Copy({})
        copy.judged = {runs[0].claim.id: runs for runs in judged}
        return " ".join(first_page.page(copy, {}).split())

    return make


def test_a_table_for_each_length_of_a_call(page):
    """Rows and numbers are those of the laws that the record follows."""
    keep(eight_problems(), recorded=True)
    text = page()
    assert text.count("<table") == len(gains.CALLS)
    assert text.count(" checked>") == 1
    tables = text.split("<table")[1:]
    for table, call in zip(tables, gains.CALLS, strict=True):
        polynomial, words = ROW.findall(table)
        size, gain = GAIN.search(polynomial).groups()  # of NumPy
        size, gain = (float(n.replace(",", "")) for n in (size, gain))
        assert 6e-7 + 9e-8 * size == pytest.approx(call, rel=0.1)
        assert gain == pytest.approx(call / (5e-6 + 1.4e-9 * size), rel=0.2)
        assert words.count("<td>–</td>") > polynomial.count("<td>–</td>")


def test_a_copy_that_cannot_say_says_so(page):
    text = page()
    assert "cannot say" in text and "<table" not in text


def test_what_a_recorded_run_decides_is_said(page, measured):
    claim = claims.load().claims["numba-jit-against-python"]
    runs = [
        Judged(claims.Verdict(claim, verdict, ""), measured, here)
        for verdict, here in (("not resolved", True), ("reproduced", False))
    ]
    measured.machine["slug"] = "box"
    assert "1 could not be settled (1 of these decided by a" in page([runs])
