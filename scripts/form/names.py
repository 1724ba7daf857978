"""One name of the prose, one value a page.

JupyterLab asks what the prose says when all code has run, the book where it
stands: a name that is bound twice would show two values.
"""

import collections

from form import markdown
from onthefly.tools import names


def broken(notebook):
    """Yield (cell, what is wrong, the repair) of a page's names."""
    asked = {
        name
        for cell in notebook["cells"]
        if cell["cell_type"] == "markdown"
        for _, expression in markdown.expressions(cell["source"])
        for read, _ in _statements(expression)
        for name in read
    }
    bound = collections.Counter()
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        own = {x for _, binds in _statements(cell["source"]) for x in binds}
        bound.update(own)
        for name in sorted(own & asked):
            if bound[name] == 2:
                what = f"{name}, which the prose says, gets another value"
                yield cell, what, "give it another name"


def _statements(source):
    """Return (names read, names bound) of each statement, if it is Python."""
    try:
        return list(names.statements(source.strip()))
    except (SyntaxError, ValueError):
        return []
