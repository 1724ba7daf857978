"""What a page would measure, told from its cells before it runs."""

from onthefly import data
from onthefly.errors import UserError
from onthefly.source import FRESH, HERE
from reading import measurements


def measured(job):
    """Return {group: why it would be measured} of a page.

    The name "" stands for measurements whose names only the run knows.
    """
    if job.request.again:
        return dict.fromkeys(job.request.again, "once more")
    mode = job.request.data
    if mode not in (HERE, FRESH):
        return {}
    every = job.chapter.defaults | job.parameters
    parameters = {name: every.get(name) for name in ("preset", "device")}
    parameters["seed"] = every.get("seed")
    asked = list(measurements.asked(job.cells, parameters, job.request.lab))
    if not asked:
        return {}
    if mode == FRESH:
        return {"": "all of it"}
    try:
        kept = data.load(job.data) if job.data.exists() else None
    except UserError:
        kept = None
    if kept is None:
        return {"": "never measured"}
    return _changed(kept.groups | kept.looks, asked, _ran(job))


def _ran(job):
    """Tell whether the page ran to its end with these cells.

    Then what its cells name and nothing keeps could not be measured here.
    """
    return bool(job.stamp.get("key")) and "cells" not in job.changes


def _changed(groups, asked, ran):
    """Return {group: why} of what is not kept under a key of today."""
    now = [key for _, key in asked]
    changed = {
        name: measurements.nearest(group.key, now)
        for name, group in groups.items()
        if group.key not in now
    }
    named = (
        n for statement, _ in asked for n in measurements.names(statement)
    )
    return (
        changed
        if ran
        else changed | {name: "new" for name in named if name not in groups}
    )
