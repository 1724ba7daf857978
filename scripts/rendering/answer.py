"""The book's answer for the machine of this copy: what its first page says.

Its numbers come from one page, "All the ways at once"; the claims that fell
come from the verdicts.
"""

import collections

from onthefly import figures
from onthefly.experiments.speed.variants import TAILORED
from onthefly.figures import findings, percent, plots
from onthefly.measure import machine
from onthefly.measure.samples import background_load
from onthefly.page import claims
from onthefly.page.checkout import name_of
from rendering import paths

PAGE, GROUP = "all-the-ways", "ways"
FELL = ("contradicted", "weaker")
AT_STAKE = ("reproduced", "stronger", *FELL[::-1], claims.UNRESOLVED)
MOST = 5  # claims that fell, on the first page
SUBJECT = "The time of one shot of π against the shots of a call."


def page(copy, texts):
    """Return the first page as Markdown.

    copy   a rendering.copy.Copy
    texts  {name in the stage: Markdown} of the other pages of book/
    """
    return copy.render(
        "book/index",
        page=PAGE,
        best=best(copy),
        **fell(copy),
        **paths.ways_in(texts),
    )


def best(copy):
    """Return who wins where on this machine, or None: nobody can say.

    The values of book/answer.md.
    """
    run = copy.runs.get(PAGE)
    measured = copy.measured(PAGE)
    times = measured.timings.get(GROUP) if measured else None
    rivals = [n for n in times.names if n not in TAILORED] if times else []
    if len(rivals) < 2:
        return None
    chart = plots.contest(times, "shot", "shots", TAILORED)
    picture = figures.as_html(
        chart,
        "answer",
        caption=f"{SUBJECT} {plots.CONTEST}",
        alt=f"{SUBJECT} {chart.finding}",
    )
    noisy = sum(bool(times.seconds(s.name, s.size).note) for s in times)
    return {
        "machine": machine.line(run.machine),
        "preset": run.preset,
        "finding": chart.finding,
        "tailored": [n for n in times.names if n in TAILORED],
        "python": "Python" in rivals,
        "gain": _gain(times, rivals) if "Python" in rivals else None,
        "picture": picture,
        "noisy": percent(noisy / len(times)),
        "mostly_noisy": noisy > len(times) / 2,
        "background_load": any(
            background_load(s, times.cores) for s in times
        ),
    }


def _gain(times, rivals):
    """Return (size, way, ratio) of the best one over Python, or None."""
    size = times.sizes("Python")[-1]
    seconds = {
        n: times.seconds(n, size) for n in rivals if size in times.sizes(n)
    }
    first = findings.ranked(seconds, "less")[0]
    if first == "Python":
        return None
    return size, first, times.ratio("Python", first, size)


def fell(copy):
    """Return the published claims that fell farthest here, and a tally.

    Of those that one page explains, the farthest stands for all.  The tally
    is of all that something was at stake for: what is only looked at, *shown*
    where it holds, is not in it, whether or not it holds.
    """
    published = [c for c in copy.own() if c.claim.source != claims.AIMS]
    staked = [
        one for one in published if not (one.claim.expect or {}).get("shown")
    ]
    counts = collections.Counter(one.verdict.verdict for one in staked)
    every = [
        one
        for one in published
        if any(v and v.verdict in FELL for v in (one.of_then, one.of_today))
        and one.verdict.quantity
    ]
    every.sort(key=lambda one: -one.fall.depth)
    causes = {}
    for one in every:
        causes.setdefault(_cause(one.claim), one)
    names = {slug: name_of(path) for slug, path in claims.written().items()}
    items = [
        {
            "one": one,
            "found": _found(one),
            "followed": slug.startswith("case-") and slug in names,
            "name": names.get(slug) or names[one.claim.chapter],
        }
        for slug, one in list(causes.items())[:MOST]
    ]
    return {
        "listed": items,
        "tally": {name: counts[name] for name in AT_STAKE},
        "settled": sum(_settled(copy.judged[one.claim.id]) for one in staked),
    }


def _settled(runs):
    """Tell whether a recorded run decides what this copy's leaves open.

    runs  the Judged of a claim, this copy's first

    On a machine of the same name: what another one finds decides nothing.
    """
    own, *others = runs
    if own.verdict.verdict != claims.UNRESOLVED:
        return False
    return any(
        one.machine == own.run.machine["slug"]
        and one.verdict.verdict in AT_STAKE[:-1]
        for one in others
    )


def _found(one):
    """Return {whose software: Verdict} of what was tried here."""
    then = one.of_then and "by its software, here"
    tried = {then: one.of_then, "today" if then else "here": one.of_today}
    return {whose: verdict for whose, verdict in tried.items() if verdict}


def _cause(claim):
    """Return the name of the page that tells a claim's cause."""
    return claim.case or claim.chapter
