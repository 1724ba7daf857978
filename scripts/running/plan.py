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
    """Tell whether the page ran to its end with these cells, and programs.

    Then what its cells name and nothing keeps could not be measured here.
    """
    ended = bool(job.stamp.get("key"))
    return ended and not {"cells", "then"} & {
        words.partition(" ")[0] for words in job.changes
    }


def _changed(groups, asked, ran):
    """Return {group: why} of what is not kept under a key of today."""
    now = [key for _, key in asked]
    changed = {
        name: measurements.nearest(group.key, now)
        for name, group in groups.items()
        if group.key not in now
    }
    if ran:
        return changed
    named = {n for one, _ in asked for n in measurements.names(one)}
    return changed | dict.fromkeys(sorted(named - groups.keys()), "new")
