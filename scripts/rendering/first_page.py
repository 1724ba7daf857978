"""The first page: what each method gains, the ways in, and the tally."""

import collections
import functools

from onthefly.page import claims
from onthefly.predict import measurements, prediction
from rendering import gains, paths

AT_STAKE = {  # {verdict: what the page says of such claims}
    "reproduced": "held",
    "stronger": "turned out stronger",
    "weaker": "weaker",
    "contradicted": "were wrong",
    claims.UNRESOLVED: "could not be settled",
}


def page(copy, texts):
    """Return the first page as Markdown.

    copy   a rendering.copy.Copy
    texts  {name in the stage: Markdown} of the other pages of book/
    """
    return copy.render(
        "book/index",
        gains=functools.partial(_gains, copy),
        page=prediction.PAGE,
        **tally(copy),
        **paths.ways_in(texts),
    )


def _gains(copy):
    """Return the table of gains as HTML, or "" where nothing is measured."""
    machines = measurements.usable()
    if not machines:
        return ""
    run = copy.runs.get(prediction.PAGE)
    name = measurements.default(machines, run and run.machine["slug"])
    every = prediction.choices(machines[name])
    return gains.tables(every, machines[name].origin)


def tally(copy):
    """Return how many published claims came out in which way.

    Counted are those that something was at stake for: what is only looked
    at, *shown* where it holds, is not, whether or not it holds.
    """
    staked = [
        one
        for one in copy.own()
        if one.claim.source != claims.AIMS
        and not (one.claim.expect or {}).get("shown")
    ]
    counts = collections.Counter(one.verdict.verdict for one in staked)
    return {
        "tally": {said: counts[name] for name, said in AT_STAKE.items()},
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
    decided = AT_STAKE.keys() - {claims.UNRESOLVED}
    return any(
        one.machine == own.run.machine["slug"]
        and one.verdict.verdict in decided
        for one in others
    )
