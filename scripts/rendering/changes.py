"""The page of the claims that came out otherwise, grouped by their cause.

The verdicts say which claims these are; the ledger, why.
"""

from onthefly import claims
from rendering import blocks, verdicts

CHANGED = ("contradicted", "weaker", "stronger")
DECIDED = ("reproduced", *CHANGED)
UNKNOWN = "unknown"  # no page found the cause
GROUPS = {
    "software": (
        "The software changed",
        "It held, or may have held, with the packages of its time.",
    ),
    "machine": (
        "The machine",
        "It depends on the machine, the talk's or this one.",
    ),
    "slip": (
        "The talk's own slip",
        "The source concluded more than its numbers show, or what it "
        "measured is something else than it says.",
    ),
    UNKNOWN: (
        "Not followed to a cause yet",
        "No page of this book has found out why.",
    ),
    claims.AIMS: (
        "This book's own aims",
        "The book set itself these bounds before it measured.",
    ),
}
TEXT = """\
(what-changed)=
# What the talks got wrong, and what has changed since

The build writes this page from the verdicts and the ledger. It lists each
claim that came out contradicted, weaker or stronger in the first run that
decides it: this copy's, else the last recorded one. The cause is what the
page that the link leads to has found.

{tally} {{doc}}`scoreboard` has all claims, also those that held.

{groups}
"""


def page(stamps, judged):
    """Return the page as Markdown.

    stamps  {chapter stem: stamp}, in the book's order
    judged  {claim id: [Judged, ...]}, as `verdicts.every` returns it
    """
    groups = {kind: [] for kind in GROUPS}
    for runs in judged.values():
        first = _deciding(runs)
        if first and first.verdict.verdict in CHANGED:
            item = _item(first, runs, stamps)
            groups[_group(first.verdict.claim)].append(item)
    return TEXT.format(
        tally=_tally(groups),
        groups="\n\n".join(
            _section(*GROUPS[kind], items)
            for kind, items in groups.items()
            if items
        ),
    )


def _section(title, intro, items):
    """Return a group of items under its title."""
    listed = "\n\n".join(items)
    return (
        f"## {title}\n\n{intro}\n\n"
        f":::{{container}} otf-changes\n{listed}\n:::"
    )


def _deciding(runs):
    """Return the first run that decides a claim, or None."""
    return next((r for r in runs if r.verdict.verdict in DECIDED), None)


def _group(claim):
    if claim.source == claims.AIMS:
        return claims.AIMS
    return claim.cause["kind"] if claim.cause else UNKNOWN


def _tally(groups):
    """Say how many published claims came out otherwise, by their cause."""
    count = {k: len(v) for k, v in groups.items() if k != claims.AIMS}
    parts = [f"{GROUPS[k][0].lower()} ({n})" for k, n in count.items() if n]
    number = sum(count.values())
    if not number:
        return "No published claim is listed."
    listed = "claims are" if number > 1 else "claim is"
    return f"{number} published {listed} listed: {'; '.join(parts)}."


def _item(one, runs, stamps):
    """Return a claim as an item: what was said, what is found, and why."""
    claim = one.verdict.claim
    place = "Here" if one.here else f"Recorded on {one.run.origin}"
    verdict = one.verdict.verdict
    lines = [
        _said(claim),
        f"**{place}, {verdict}:** {_number(one)}.{_told(one)}",
        _why(claim, stamps),
        *(_elsewhere(run) for run in runs if _differs(run, one)),
    ]
    return "- " + "\\\n  ".join(lines)


def _said(claim):
    """Return what was said, by whom, and the figure."""
    source = claims.load().sources[claim.source]
    figure = "Aim" if claim.source == claims.AIMS else "Published"
    said = f"{blocks.plain(claim.says)} *{blocks.plain(source)}.*"
    if claim.published:
        said += f" {figure}: {blocks.plain(claim.published)}."
    return said


def _number(one):
    return blocks.plain(str(one.verdict.quantity))


def _told(one):
    """Return what the page says of its measurement."""
    why = one.run.reasons.get(one.verdict.claim.id, "").rstrip(".")
    return f" *Measured:* {blocks.plain(why)}." if why else ""


def _why(claim, stamps):
    """Return the cause, and a link to the case that found it, or the card."""
    titles = claims.load().chapters
    slugs = {stamp["chapter"] for stamp in stamps.values()}
    case = claim.case if claim.case in slugs else None
    slug = case or claim.chapter
    text = verdicts.link(claim, stamps, titles[slug], case)
    word = "The case" if slug.startswith("case-") else "See"
    link = f"{word}: {text}."
    if not claim.cause:
        return link
    return f"*Why:* {blocks.plain(claim.cause['says'])} {link}"


def _differs(run, one):
    """Tell whether another run measured the claim with another verdict."""
    measured = (*DECIDED, claims.UNRESOLVED)
    verdict = run.verdict.verdict
    return verdict in measured and verdict != one.verdict.verdict


def _elsewhere(run):
    """Say what another run made of the claim."""
    number = f", {_number(run)}" if run.verdict.quantity else ""
    if run.here:
        return f"*In this copy:* {run.verdict.verdict}{number}."
    return f"*On {run.origin}:* {run.verdict.verdict}{number}."
