"""Which recorded measurements were made by other code than today's."""

from onthefly.measure import records
from onthefly.page import claims, dependencies, missing
from onthefly.page.dependencies import code_of
from reading import notebooks


def outdated(page, machine):
    """Return {group: what changed} of what a machine recorded of a page.

    Other libraries, another interpreter or preset are no change of code.
    """
    path = claims.written().get(page)
    asked = []
    if path is not None:
        cells = missing.running(notebooks.read(path)["cells"])
        asked = [key for _, key in dependencies.asked(cells, {})]
    now = list(map(code_of, asked))
    return {
        name: dependencies.nearest(code_of(group.key), now)
        for one in records.recorded(page, machine)
        for name, group in (one.groups | one.looks).items()
        if code_of(group.key) not in now
    }


def lines(machine):
    """Yield a line for each group of a machine that is out of date."""
    for path in sorted((records.RECORDED / machine).glob("*.json")):
        for group, change in outdated(path.stem, machine).items():
            yield f"{machine}: {path.stem}: {group}: {change}"
