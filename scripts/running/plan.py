"""What a page would measure, told from its cells before it runs."""

import functools

from onthefly import data, keys, missing
from onthefly.errors import UserError
from onthefly.source import FRESH, HERE
from reading import notebooks

MEASURES = ("measure", "sample", "collect", "look")


@functools.cache
def _lab(folder):
    return keys.Lab(folder)


def measured(job):
    """Return {group: why it would be measured} of a page.

    The name "" stands for measurements whose names only the run knows.
    """
    if job.request.again:
        return dict.fromkeys(job.request.again, "once more")
    mode = job.request.data
    if mode not in (HERE, FRESH):
        return {}
    if mode == FRESH:
        return {"": "all of it"}
    try:
        kept = data.load(job.data) if job.data.exists() else None
    except UserError:
        kept = None
    asked = list(_asking(job))
    if not asked:
        return {}
    if kept is None:
        return {"": "never measured"}
    groups = kept.groups | kept.looks
    return _changed(groups, asked) | _new(groups, asked)


def _changed(groups, asked):
    """Return {group: what changed} of what is kept."""
    now = [key for _, key in asked]
    return {
        name: min(
            (", ".join(keys.changes(group.key, key)) for key in now), key=len
        )
        for name, group in groups.items()
        if group.key not in now
    }


def _new(groups, asked):
    """Return {group: "new"} of what the page names and nothing keeps."""
    names = (name for statement, _ in asked for name in _names(statement))
    return {name: "new" for name in names if name not in groups}


def _asking(job):
    """Yield (Statement, its key) of those that may ask for a measurement."""
    statements = []
    lab = _lab(job.request.lab)
    parameters = {
        name: (job.chapter.defaults | job.parameters).get(name)
        for name in ("preset", "device", "seed")
    }
    lacking = missing.Cells()
    for cell in job.cells:
        if cell["cell_type"] != "code":
            continue
        lack = lacking.lack(cell["source"], notebooks.tags(cell))
        lacking.done(cell["source"], lack)
        if lack:
            continue
        for statement in keys.statements(cell["source"]):
            statements.append(statement)
            if _asks(statement):
                key = keys.key(statements, statement, parameters, lab)
                yield statement, key


def _asks(statement):
    """Tell whether a statement may ask for a measurement, or its callee."""
    methods = {method for method, _ in keys.of_book(statement.node)}
    return bool(methods & {*MEASURES, ""})


def _names(statement):
    """Yield the names of measurements that stand in a statement."""
    for method, arguments in keys.of_book(statement.node):
        if method in MEASURES and arguments:
            name = getattr(arguments[0], "value", None)
            if isinstance(name, str):
                yield name
