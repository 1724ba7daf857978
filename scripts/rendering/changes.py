"""The page of the claims that came out otherwise, grouped by their cause.

The verdicts say which claims these are; the ledger, why.
"""

from onthefly import claims

CHANGED = ("contradicted", "weaker", "stronger")
DECIDED = ("reproduced", *CHANGED)
UNKNOWN = "unknown"  # no page found the cause
KINDS = ("software", "machine", "slip", UNKNOWN, claims.AIMS)


def page(copy):
    """Return the page as Markdown.

    copy  a rendering.copy.Copy
    """
    return copy.render(
        "book/what_changed", groups=groups(copy), aims=claims.AIMS
    )


def groups(copy):
    """Return {cause: [values of a claim that came out otherwise]}."""
    found = {kind: [] for kind in KINDS}
    for runs in copy.judged.values():
        first = next(filter(_decides, runs), None)
        if first and first.verdict.verdict in CHANGED:
            found[_cause(first.claim)].append(_values(first, runs, copy))
    return found


def _decides(one):
    return one.verdict.verdict in DECIDED


def _cause(claim):
    if claim.source == claims.AIMS:
        return claims.AIMS
    return claim.cause["kind"] if claim.cause else UNKNOWN


def _values(first, runs, copy):
    """Return what the page says of a claim, by the run that decides it."""
    claim, ledger = first.claim, claims.load()
    case = claim.case if claim.case in copy.stems else None
    return {
        "first": first,
        "source": ledger.sources[claim.source],
        "why_measured": first.run.reasons.get(claim.id, "").rstrip("."),
        "is_case": (case or claim.chapter).startswith("case-"),
        "title": ledger.chapters[case or claim.chapter],
        "address": copy.address(claim, case),
        "others": [one for one in runs if _differs(one, first)],
    }


def _differs(one, first):
    """Tell whether another run measured the claim with another verdict."""
    verdict = one.verdict.verdict
    measured = verdict in (*DECIDED, claims.UNRESOLVED)
    return measured and verdict != first.verdict.verdict
