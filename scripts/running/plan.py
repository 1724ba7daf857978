"""What a page would measure, told from its cells before it runs."""

from onthefly.errors import CorruptFile, UserError
from onthefly.measure import data
from onthefly.page import dependencies, missing, source
from onthefly.page.source import FRESH, HERE


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
    cells = missing.running(job.cells)
    package = dependencies.package(job.request.lab)
    asked = list(dependencies.asked(cells, parameters, package))
    if not asked:
        return {}
    if mode == FRESH:
        return {"": "all of it"}
    try:
        kept = data.load(job.data) if job.data.exists() else None
    except CorruptFile as error:
        return {"": f"all of it, for what is kept is broken: {error.fault}"}
    except UserError:
        kept = None
    if kept is None:
        return {"": "never measured"}
    named = set() if _ran(job) else set(_named(asked, job.chapter.slug))
    return _changed(kept.groups | kept.looks, asked, named)


def _ran(job):
    """Tell whether the page ran to its end with these cells, and programs.

    Then what its cells name and nothing keeps could not be measured here.
    """
    ended = bool(job.stamp.get("key"))
    return ended and not {"cells", "then"} & {
        words.partition(" ")[0] for words in job.changes
    }


def _named(asked, page):
    """Yield the names in the cells that no machine's record stands for."""
    for statement, key in asked:
        same = dependencies.is_anywhere(statement)
        for name in dependencies.names_in(statement):
            if not (same and any(source.alike(page, name, key))):
                yield name


def _changed(groups, asked, named):
    """Return {group: why} of what is not kept under a key of today.

    named  those that are to be kept
    """
    now = [key for _, key in asked]
    changed = {
        name: dependencies.nearest(group.key, now)
        for name, group in groups.items()
        if group.key not in now
    }
    return changed | dict.fromkeys(sorted(named - groups.keys()), "new")
