"""Whose measurements a choice rests on."""

from onthefly import machine, results
from onthefly.experiments.choice.prediction import PAGE
from onthefly.refused import Refused


def kept():
    """Return {machine: Results} of the page that measures the problems.

    A run that did not come to its end is left out.
    """
    found = results.find(PAGE)
    return {name: one for name, one in found.items() if one.finished}


def default(found, here=None):
    """Return the name of the machine that is meant where none is named.

    found  as `kept` returns it, not empty
    here   name of the machine at hand; by default it is asked

    Where that one has measured nothing, it is the one that did so last.
    """
    here = here or machine.slug()
    if here in found:
        return here
    return max(found, key=lambda name: found[name].machine["time"])


def needed():
    """Return what `kept` returns; raise Refused where it is empty."""
    found = kept()
    if not found:
        raise Refused(
            f"{PAGE}: no machine has measured it; run scripts/run.py {PAGE}"
        )
    return found


def for_cores(every, here, problem, workers):
    """Return (Choices, machine) that tell most of so many cores.

    every    {machine: {problem: Choices}}
    here     name of the machine at hand
    problem  name of the problem

    Its own up to its own cores; beyond, another machine's that has as many;
    where none has, its own model, which then predicts.
    """
    own = every[here][problem]
    if workers > own.workers:
        for name, measured in every.items():
            if problem in measured and measured[problem].workers == workers:
                return measured[problem], name
    return own, here
