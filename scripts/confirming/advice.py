"""What the book would choose for a function, by what it is like."""

import dataclasses

from choosing import measurements, sentences
from confirming.likeness import Likeness, likeness
from onthefly.experiments.choice import prediction
from onthefly.experiments.choice.problems import PROBLEMS
from onthefly.refused import Refused

CALLS = 1000  # so that imports and first calls do not decide


def judged(found):
    """Return a Found with what it is like, and what the book would choose."""
    try:
        every = measurements.required()
        results = every[measurements.default(every)]
        like = likeness(found, results)
    except Refused as error:  # the rest of the report stands
        return dataclasses.replace(found, like=Likeness("", str(error)))
    chosen = _chosen(found, like.name, results) if like.name else ""
    return dataclasses.replace(found, like=like, chosen=chosen)


def title(name):
    """Return a problem's name and what it is."""
    return f"{name} ({PROBLEMS[name].title})"


def _chosen(found, name, results):
    """Say what is predicted to win for a problem at the largest size.

    No larger than what was measured of the problem: no guess beyond.
    """
    choices = prediction.choices(results)[name]
    most = max(results.timings[name].sizes())
    n = min(found.elements[max(found.sizes)], most)
    given = {"calls": CALLS, "data": found.form or "own"}
    given["device"] = results.machine["slug"] == found.machine["slug"]
    largest = ", the largest measured of it" if n == most else ""
    data = f", data in {found.form}" if found.form else ""
    return (
        f"for {name} at {n:,} elements{largest}, {CALLS:,} calls{data}, "
        f"{_winner(choices, n, given)} (by the eight problems of "
        f"{results.origin}; yours may differ: measure it)"
    )


def _winner(choices, n, given):
    """Say which way the book would choose, and what it gains, as a clause.

    given  options of `Choices.winner`
    """
    best = choices.winner(n, **given)
    if best.rivals:
        open_ = sentences.left_open(choices, best)
        again = sentences.again(choices.results.preset)
        return f"which is ahead is not resolved: {open_}; {again}"
    said = f"the book would choose {sentences.name(choices, best.variant)}"
    if best.gain and best.variant != "Python":
        said += f": predicted {best.gain} as fast as plain Python"
    return said
