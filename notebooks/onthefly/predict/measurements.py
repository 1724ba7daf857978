"""Whose measurements a choice rests on."""

from onthefly import folders
from onthefly.errors import UserError
from onthefly.kernels.problems import PROBLEMS
from onthefly.measure import machine, records
from onthefly.measure.timings import Measured
from onthefly.predict.prediction import PAGE


def usable():
    """Return {machine: Measured} of the page that measures the problems.

    A machine's own run comes before its recorded one, where it has no fault.
    """
    machines = {}
    for one in _every():
        if not fault(one):
            machines.setdefault(one.machine["slug"], one)
    return machines


def _every():
    """Return what all machines measured, this build's before recorded."""
    return list(
        map(Measured, [*records.builds(PAGE), *records.recorded(PAGE)])
    )


def fault(one):
    """Return why no choice can rest on what was measured, or ""."""
    measured = [name for name in PROBLEMS if name in one.timings]
    needed = {"starts", *(f"{name}, first call" for name in measured)}
    if not measured or needed - set(one.timings):
        return "not measured to its end, or by an older version"
    return ""


def measured_here(name):
    """Tell whether what `usable` returns of a machine is this build's run."""
    builds = map(Measured, records.builds(PAGE))
    return any(
        one.machine["slug"] == name and not fault(one) for one in builds
    )


def default(machines, here=None):
    """Return the name of the machine that is meant where none is named.

    machines  as `usable` returns them, not empty
    here      name of the machine at hand; by default it is asked

    Where that one has measured nothing, it is the one that did so last.
    """
    here = here or machine.slug()
    if here in machines:
        return here
    return max(machines, key=lambda name: machines[name].machine["time"])


def required():
    """Return what `usable` returns; raise UserError where it is empty."""
    machines = usable()
    if not machines:
        faults = dict.fromkeys(map(fault, _every()))
        why = "; ".join(faults) or "no machine has measured it"
        repair = (
            f"run scripts/run.py {PAGE}"
            if folders.CHECKOUT
            else "install onthefly again, which ships recorded numbers"
        )
        raise UserError(f"{PAGE}: {why}; repair: {repair}")
    return machines


def for_cores(every, here, problem, workers):
    """Return (Choices, machine) that know most of so many cores.

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
    newest = max(same, key=lambda name: same[name].measured.machine["time"])
    return same[newest], newest
