"""The page of the claims that came out otherwise, grouped by their cause.

The verdicts say which claims these are; the ledger, why.
"""

import math

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
    """Return {cause: [values of a claim that came out otherwise]}.

    What moved farthest from its published figure comes first.
    """
    found = {kind: [] for kind in KINDS}
    for runs in copy.judged.values():
        first = next(filter(_decides, runs), None)
        if first and (cause := _cause(first)):
            found[cause].append(_values(first, runs, copy))
    for items in found.values():
        items.sort(key=lambda item: -_distance(item["first"].verdict))
    return found


def _distance(verdict):
    """Return how far a ratio is from its figure, as a logarithm; else 0."""
    value = (verdict.claim.expect or {}).get("value", 0)
    ratios = [
        one.quantity.value
        for one in (verdict, verdict.today)
        if one and one.quantity and one.quantity.unit == "×"
    ]
    if value <= 0 or not all(ratio > 0 for ratio in ratios):
        return 0
    return max((abs(math.log(ratio / value)) for ratio in ratios), default=0)


def _decides(one):
    return one.verdict.verdict in DECIDED


def _cause(one):
    """Return why a claim came out otherwise; "" where it held.

    Where the software of then judges, that is arithmetic: what it finds
    otherwise the machine changed, and what today's alone does, the software.
    """
    claim, verdict = one.claim, one.verdict
    fell = verdict.verdict in CHANGED
    if verdict.today:
        later = verdict.today.verdict in CHANGED
        return "machine" if fell else "software" if later else ""
    if not fell:
        return ""
    if claim.source == claims.AIMS:
        return claims.AIMS
    return claim.cause["kind"] if claim.cause else UNKNOWN


def _values(first, runs, copy):
    """Return what the page says of a claim, by the run that decides it."""
    claim, ledger = first.claim, claims.load()
    case = claim.case if claim.case in copy.names else None
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
