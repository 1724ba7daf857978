"""The page of the claims that came out otherwise, grouped by their cause.

The verdicts say which claims these are; `falls`, how far each fell and by
what; the ledger, why.
"""

import templates
from onthefly.page import claims
from rendering.falls import CAUSES, CHANGED, HELD

DECIDED = (*HELD, *CHANGED)
MOST = 10  # of the largest falls, which the page leads with


def page(copy):
    """Return the page as Markdown.

    copy  a rendering.copy.Copy
    """
    found = groups(copy)
    return copy.render(
        "book/what_changed",
        groups=found,
        largest=largest(found),
        causes=CAUSES,
        aims=claims.AIMS,
    )


def groups(copy):
    """Return {cause: [values of a claim that came out otherwise]}.

    What fell farthest from its published figure comes first.
    """
    found = {kind: [] for kind in CAUSES}
    for runs in copy.judged.values():
        first = next(filter(_decides, runs), None)
        if first and _changed(first):
            found[first.fall.by].append(_values(first, runs, copy))
    for items in found.values():
        items.sort(key=lambda item: -item["first"].fall.depth)
    return found


def largest(found):
    """Return the values of the published claims that fell farthest.

    found  as `groups` returns it
    """
    every = [
        item
        for kind, items in found.items()
        for item in items
        if kind != claims.AIMS and _leads(item["first"])
    ]
    every.sort(key=lambda item: -item["first"].fall.depth)
    return every[:MOST]


def answer(copy):
    """Return which published claim fell farthest, and why; "" for none.

    copy  a rendering.copy.Copy
    """
    fell = largest(groups(copy))
    if not fell:
        return ""
    one, source = fell[0]["first"], fell[0]["source"]
    found = {
        "published": one.claim.published,
        "with old software, here": one.of_then and one.of_then.quantity,
        "with today's": one.of_today and one.of_today.quantity,
    }
    figures = "; ".join(f"{whose} {q}" for whose, q in found.items() if q)
    why = one.claim.cause["says"] if one.claim.cause else ""
    return templates.plain(
        f"“{one.claim.says}” ({source}, {one.place}): {figures}. That is off "
        f"by {one.fall}. The cause: {CAUSES[one.fall.by]}. {why}"
    ).strip()


def _leads(one):
    """Tell whether a claim fell from a figure, not a bound of the ledger."""
    stated = one.claim.published or one.of_then
    return bool(stated) and one.fall.depth > 0


def _decides(one):
    return one.verdict.verdict in DECIDED


def _changed(one):
    """Tell whether the software of then or today's denies what was said."""
    tried = one.of_then, one.of_today
    return any(verdict and verdict.verdict in CHANGED for verdict in tried)


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
