"""One name of the prose, one value a page.

JupyterLab asks what the prose says when all code has run, the book where it
stands: a name that is bound twice would show two values.
"""

import ast
import collections

from form import cells, markdown
from onthefly.tools import statements


def broken(notebook):
    """Yield (cell, what is wrong, the repair) of a page's names."""
    asked = {
        name
        for cell in notebook["cells"]
        if cell["cell_type"] == "markdown"
        for _, expression in markdown.expressions(cell["source"])
        for name in _names(expression)
    }
    bound = collections.Counter()
    for cell in notebook["cells"]:
        tree = cell["cell_type"] == "code" and cells.parse(cell["source"])
        found = statements.changed(tree.body) if tree else set()
        bound.update(found)
        for name in sorted(found & asked):
            if bound[name] == 2:
                what = f"{name}, which the prose says, gets another value"
                yield cell, what, "give it another name"


def _names(expression):
    """Return the names in an expression, none where it is none."""
    try:
        return statements.named([ast.parse(expression, mode="eval")])
    except (SyntaxError, ValueError):
        return []
