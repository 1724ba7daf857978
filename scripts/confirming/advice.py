"""What the book would choose for a function, by what it is like."""

import dataclasses

from confirming.likeness import Likeness, likeness
from onthefly.experiments.choice import prediction
from onthefly.experiments.choice.problems import PROBLEMS
from onthefly.refused import Refused
from reading.measured import eight_problems

CALLS = 1000  # so that imports and first calls do not decide


def judged(found):
    """Return a Found with what it is like, and what the book would choose."""
    try:
        results = eight_problems()
        like = likeness(found, results)
    except Refused as error:  # the rest of the report stands
        return dataclasses.replace(found, like=Likeness("", str(error)))
    chosen = _chosen(found, like.name, results) if like.name else ""
    return dataclasses.replace(found, like=like, chosen=chosen)


def title(name):
    """Return a problem's name and what it is."""
    return f"{name} ({PROBLEMS[name].title})"


def _chosen(found, name, results):
    """Say what is predicted to win for a problem at the largest size."""
    choices = prediction.choices(results)[name]
    n = found.elements[max(found.sizes)]
    given = {"calls": CALLS, "data": found.form or "own"}
    given["device"] = results.machine["slug"] == found.machine["slug"]
    best = choices.winner(n, **given)
    data = f", data in {found.form}" if found.form else ""
    said = (
        f"for {name} at {n:,} elements, {CALLS:,} calls{data}, the book "
        f"would choose {best.way}"
    )
    if best.gain:
        said += f": predicted {best.gain} as fast as plain Python"
    if best.rivals:
        said += f"; not resolved against {', '.join(best.rivals)}"
    if best.beyond:
        said += "; this size lies beyond what was measured: a guess"
    return (
        f"{said} (by the eight problems of {results.origin}; yours may "
        "differ: measure it)"
    )
