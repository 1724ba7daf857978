"""The page of what came out otherwise: which claims, in which group."""

import dataclasses

import pytest

from onthefly.measure.quantity import Quantity
from onthefly.page import claims, results
from rendering import changes
from rendering.copy import Copy, Judged

STAMPS = {
    "threads/races": {"chapter": "races"},
    "case_the_jump": {"chapter": "case-the-jump"},
}
SLIP = {"kind": "slip", "says": "It was so all along."}


@pytest.fixture
def claim():
    """A published claim of one of the pages."""
    one = claims.load().claims["race-global-and-local"]
    return dataclasses.replace(one, cause=None, case=None)


@pytest.fixture
def run(measured):
    """A function that makes one run's verdict on a claim."""

    def make(claim, verdict, here=True, machine="box"):
        run = results.Results(
            claim.chapter, "S", machine={**measured.machine, "slug": machine}
        )
        quantity = Quantity(3, 2, 4, "×")
        if verdict == claims.UNMEASURED:
            quantity = None
        return Judged(claims.Verdict(claim, verdict, "", quantity), run, here)

    return make


def copy_of(*runs):
    """Return a Copy in which so many runs judged a claim."""
    copy = Copy(STAMPS)
    copy.judged = {"a-claim": list(runs)}
    return copy


def page(*runs):
    return changes.page(copy_of(*runs))


def group(*runs):
    """Return the name of the group that lists the claim, or None."""
    groups = changes.groups(copy_of(*runs))
    return next((name for name, items in groups.items() if items), None)


def both(one, today):
    """Return a Judged by the software of then, with a verdict of today's."""
    now = dataclasses.replace(one.verdict, verdict=today)
    return dataclasses.replace(
        one, verdict=dataclasses.replace(one.verdict, today=now)
    )


@pytest.mark.parametrize(
    ("then", "today", "name"),
    [
        ("reproduced", "weaker", "software"),
        (claims.SHOWN, "contradicted", "software"),
        ("contradicted", "reproduced", "machine"),
        ("reproduced", "reproduced", None),
    ],
)
def test_then_and_today_tell_the_cause_by_arithmetic(
    claim, run, then, today, name
):
    assert group(both(run(claim, then), today)) == name


def test_a_slip_is_what_the_software_of_then_denies(claim, run):
    one = run(dataclasses.replace(claim, cause=SLIP), "weaker")
    assert group(both(one, "weaker")) == "slip"
    one = run(dataclasses.replace(claim, cause=SLIP), "reproduced")
    assert group(both(one, "weaker")) == "software"


def test_what_fell_farthest_comes_first_and_leads(claim, run):
    runs = {
        name: run(
            dataclasses.replace(
                claim, id=name, expect={"rule": "near", "value": value}
            ),
            verdict,
        )
        for name, value, verdict in [
            ("rose", 0.1, "stronger"),
            ("near", 4, "weaker"),
            ("far", 400, "weaker"),
        ]
    }
    copy = Copy(STAMPS)
    copy.judged = {name: [one] for name, one in runs.items()}
    found = changes.groups(copy)
    names = [item["first"].claim.id for item in found["unknown"]]
    assert names == ["far", "near", "rose"]
    lead = [item["first"].claim.id for item in changes.largest(found)]
    assert lead == ["far", "near"]
    assert "133× below" in changes.page(copy).partition("## ")[2]


def test_the_farthest_fall_answers_which_claim_fell_most(claim, run):
    far = {"rule": "near", "value": 400}
    fell = dataclasses.replace(claim, expect=far, cause=SLIP)
    text = changes.answer(copy_of(run(fell, "weaker")))
    assert "133× below" in text and SLIP["says"] in text
    assert changes.answer(copy_of(run(claim, "reproduced"))) == ""


@pytest.mark.parametrize("kind", ["software", "machine", "slip"])
def test_the_cause_decides_the_group(claim, run, kind):
    fell = run(
        dataclasses.replace(claim, cause={**SLIP, "kind": kind}), "weaker"
    )
    assert group(fell) == kind
    for part in (claim.says, SLIP["says"], "3.00× (2.00 to 4.00)"):
        assert part in page(fell)


def test_what_holds_here_is_not_listed(claim, run):
    fell = run(claim, "weaker", here=False, machine="other")
    held = run(claim, "reproduced")
    assert group(held) is None and group(held, fell) is None


@pytest.mark.parametrize("left", [claims.UNRESOLVED, claims.UNMEASURED])
def test_what_this_copy_leaves_open_a_recorded_run_decides(claim, run, left):
    fell = run(claim, "weaker", here=False, machine="other")
    text = page(run(claim, left), fell)
    assert "Recorded on other" in text
    assert ("In this copy" in text) == (left == claims.UNRESOLVED)


def test_the_books_own_aims_are_a_group(claim, run):
    aim = dataclasses.replace(claim, source=claims.AIMS, cause=SLIP)
    assert group(run(aim, "contradicted")) == claims.AIMS
