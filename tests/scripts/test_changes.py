"""The page of what came out otherwise: which claims, in which group."""

import dataclasses

import pytest

from onthefly import claims, results
from onthefly.quantity import Quantity
from rendering import changes
from rendering.copy import Copy, Judged

STAMPS = {
    "30_races": {"chapter": "races"},
    "case_the_jump": {"chapter": "case-the-jump"},
}
SLIP = {"kind": "slip", "says": "It was so all along."}


@pytest.fixture
def claim():
    """A published claim of one of the pages."""
    found = claims.load().claims["race-global-and-local"]
    return dataclasses.replace(found, cause=None, case=None)


@pytest.fixture
def run(measured):
    """A function that makes one run's verdict on a claim."""

    def make(claim, verdict, here=True, machine="box"):
        record = {**measured.machine, "slug": machine}
        found = results.Results(
            claim.chapter, "S", machine=record,
            reasons={claim.id: "threads over none"},
        )  # fmt: skip
        if verdict == claims.UNMEASURED:
            said = claims.Verdict(claim, verdict, "no device")
        else:
            said = claims.Verdict(claim, verdict, "", Quantity(3, 2, 4, "×"))
        return Judged(said, found, here)

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


@pytest.mark.parametrize("kind", ["software", "machine", "slip"])
def test_the_cause_decides_the_group(claim, run, kind):
    told = dataclasses.replace(claim, cause={**SLIP, "kind": kind})
    assert group(run(told, "weaker")) == kind
    text = page(run(told, "weaker"))
    assert (
        claim.says in text
        and SLIP["says"] in text
        and "3.00× (2.00 to 4.00)" in text
    )
    assert (
        "threads over none" in text and "1 published claim is listed" in text
    )


@pytest.mark.parametrize(
    "verdict", ["reproduced", claims.UNRESOLVED, claims.UNMEASURED]
)
def test_what_did_not_fall_is_not_listed(claim, run, verdict):
    told = dataclasses.replace(claim, cause=SLIP)
    text = page(run(told, verdict))
    assert claim.says not in text and SLIP["says"] not in text


@pytest.mark.parametrize("left", [claims.UNRESOLVED, claims.UNMEASURED])
def test_what_this_copy_leaves_open_a_recorded_run_decides(claim, run, left):
    fell = run(claim, "weaker", here=False, machine="other")
    text = page(run(claim, left), fell)
    assert "Recorded on other" in text
    assert ("In this copy" in text) == (left == claims.UNRESOLVED)


def test_the_books_own_aims_stand_apart(claim, run):
    aim = dataclasses.replace(claim, source=claims.AIMS, cause=SLIP)
    assert group(run(aim, "contradicted")) == claims.AIMS
    text = page(run(aim, "contradicted"))
    assert claim.says in text and "No published claim is listed" in text
