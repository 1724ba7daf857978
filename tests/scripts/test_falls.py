"""How far a claim fell, and by what: the arithmetic."""

import dataclasses

import pytest

from onthefly.measure.quantity import Quantity
from onthefly.page import claims
from rendering import falls, places

SLIP = {"kind": "slip", "says": "It was so all along."}


def verdict(
    rule, low, high=None, cause=None, unit="×", kind="ratio", **expect
):
    """Return the Verdict on a claim of so much to so much."""
    base = claims.load().claims["numba-jit-against-python"]
    claim = dataclasses.replace(
        base, cause=cause, kind=kind, expect={"rule": rule, **expect}
    )
    high = low if high is None else high
    return claims.judge(claim, Quantity((low + high) / 2, low, high, unit))


def near(low, high=None, cause=None, **about):
    return verdict("near", low, high, cause, value=20, **about)


@pytest.mark.parametrize(
    ("then", "today", "by", "text"),
    [
        (near(20), near(5), "software", "4.00× below"),
        (near(5), near(20), "machine", "4.00× below"),
        (near(5), near(4), "machine", "5.00× below"),
        (near(14), near(2), "software", "10.0× below"),
        (near(30), near(5), "software", "4.00× below"),  # it rose, then fell
        (near(5, cause=SLIP), near(5), "slip", "4.00× below"),
        (near(20), near(19), "", "1.05× below"),
        (near(5), near(15, 25), "machine", "4.00× below"),  # today's: open
        (near(4), None, "machine", "5.00× below"),
        (near(5, kind="api"), None, "slip", "4.00× below"),
        (near(4, cause=SLIP), None, "slip", "5.00× below"),
        (None, near(5), falls.UNKNOWN, "4.00× below"),
        (None, near(5, cause=SLIP), "slip", "4.00× below"),
        (None, near(0.8, 1.5), falls.UNKNOWN, "more than 13.3× below"),
        (None, near(15, 17), "", ""),  # it may have held
        (None, near(10, 30), "", ""),
        (None, near(20), "", ""),
    ],
)
def test_from_the_published_figure_to_then_and_to_today(
    then, today, by, text
):
    fall = falls.of(then, today)
    assert (fall.by, str(fall)) == (by, text)


def test_what_rose_fell_less_than_what_did_not_fall():
    depths = [falls.of(None, near(x)).depth for x in (2, 10, 20, 40)]
    assert depths == sorted(depths, reverse=True) and depths[-1] < 0


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (verdict("at most", 4, value=2), "2.00× beyond"),
        (verdict("at most", 1, value=2), ""),
        (verdict("at least", 1, value=2), "2.00× beyond"),
        (verdict("at least", 3, value=2), ""),
        (verdict("holds", 0.25, unit="%"), "4.00× below"),
        (verdict("holds", 0.0, unit="%"), ""),
        (verdict("equals", 1.0, value=0, within=0.5), ""),
        (verdict("equals", -2.0, value=-1, within=0.5), "2.00× above"),
    ],
)
def test_a_bound_tells_only_beyond_it_and_zero_nothing(one, text):
    assert str(falls.of(None, one)) == text


def test_what_is_never_seen_is_set_against_what_then_saw():
    seen = verdict("occurs", 0.5, 0.7, unit="%", value=0.1)
    never = dataclasses.replace(
        seen, verdict="contradicted", quantity=Quantity(0, 0, 0.02, "%")
    )
    assert str(falls.of(None, never)) == "more than 5.00× rarer"
    fall = falls.of(seen, never)
    assert (fall.by, str(fall)) == ("software", "more than 30.0× rarer")


@pytest.mark.parametrize(
    ("where", "slides"),
    [
        ("slide 16, chart", {"okuda2018pyconjp": [16]}),
        ("slides 2, 16, 19 and 48", {"okuda2018pyconjp": [2, 16, 19, 48]}),
        ("slides 44 to 46, 52 and 53",
         {"okuda2018pyconjp": [44, 45, 46, 52, 53]}),
        ("slide 33, charts 1, 2 and 4", {"okuda2018pyconjp": [33]}),
        ("abstract and slides 3, 26", {"okuda2018pyconjp": [3, 26]}),
        ("transcript lines 4-5 and 17-18 (also shin2017flow slide 23)",
         {"okuda2018pyconjp": [4, 5, 17, 18], "shin2017flow": [23]}),
        ("Sortie de la console", {"okuda2018pyconjp": []}),
    ],
)  # fmt: skip
def test_the_slides_of_a_claim(where, slides):
    base = claims.load().claims["numba-jit-against-python"]
    assert places.slides(dataclasses.replace(base, where=where)) == slides


def test_each_claim_of_a_talk_has_a_slide_and_a_place_names_no_key():
    ledger = claims.load()
    for claim in ledger.claims.values():
        assert not any(key in places.place(claim) for key in ledger.sources)
        printed = claim.source not in (claims.AIMS, "protobuf-article")
        assert not printed or places.slides(claim)[claim.source], claim.id
