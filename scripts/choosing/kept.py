"""Whose measurements a choice rests on."""

from onthefly import machine, results
from onthefly.experiments.choice.prediction import PAGE
from onthefly.experiments.choice.problems import PROBLEMS
from onthefly.refused import Refused


def kept():
    """Return {machine: Results} of the page that measures the problems.

    A machine's own run comes before its recorded one, where it has no fault.
    """
    found = {}
    for one in _every():
        if not fault(one):
            found.setdefault(one.machine["slug"], one)
    return found


def _every():
    """Return the Results of all machines, this build's before recorded."""
    return [*results.find(PAGE).values(), *results.recorded(PAGE)]


def fault(found):
    """Return why no choice can rest on Results, or ""."""
    if not found.finished:
        return "the run did not come to its end"
    if found.preset == "XS":
        return "measured at XS, which is for tests"
    measured = [name for name in PROBLEMS if name in found.timings]
    needed = {"starts"}
    for name in measured:
        needed |= {f"{name}, first call", f"{name}, unseen"}
    if not measured or needed - set(found.timings):
        return "measured by an older version"
    return ""


def measured_here(name):
    """Tell whether what `kept` returns of a machine is this build's run."""
    path = results.results_dir() / name / f"{PAGE}.json"
    return path.exists() and not fault(results.load(path))


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
        faults = dict.fromkeys(map(fault, _every()))
        why = "; ".join(faults) or "no machine has measured it"
        raise Refused(f"{PAGE}: {why}; run scripts/run.py {PAGE}")
    return found


def for_cores(every, here, problem, workers):
    """Return (Choices, machine) that tell most of so many cores.

    every    {machine: {problem: Choices}}
    here     name of the machine at hand
    problem  name of the problem

    Its own up to its own cores; beyond, the newest of another machine that
    has as many; where none has, its own model, which then predicts.
    """
    own = every[here][problem]
    same = {
        name: measured[problem]
        for name, measured in every.items()
        if problem in measured and measured[problem].workers == workers
    }
    if workers <= own.workers or not same:
        return own, here
    newest = max(same, key=lambda name: same[name].found.machine["time"])
    return same[newest], newest
