"""What a page keeps from its reader's eyes, or does without.

Parameters, set-up and the end are folded; numbers reach the prose by {eval}.
"""

import ast
import re

from form import cells, markdown
from reading import notebooks

HIDDEN = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
GLUE = re.compile(r"\{glue:?\w*\}.*")
REPAIR = "say {eval}`gain` in the prose"


def is_hidden(cell):
    """Tell whether a reader meets the code of a cell folded, or never."""
    return bool(HIDDEN & set(notebooks.tags(cell)))


def broken(notebook):
    """Yield (cell, what is wrong, the repair) of a page's plumbing."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            for line, target in _links(cell["source"]):
                if GLUE.fullmatch(target):
                    yield cell, f"line {line}: {target}", REPAIR
        elif cell["cell_type"] == "code":
            yield from _code(cell)


def _links(source):
    """Return the (line, target) of the links and roles of a text."""
    return [link for p in markdown.passages(source) for link in p.links]


def _code(cell):
    """Yield what is wrong in a cell of code."""
    what = "parameters" if "parameters" in notebooks.tags(cell) else ""
    tree = cells.parse(cell["source"])
    for node in ast.walk(tree) if tree else ():
        if not isinstance(node, ast.Call):
            continue
        if getattr(node.func, "id", None) == "Chapter":
            what = "set-up"
        if ast.unparse(node) == "book.close()":
            what = "end"
    if what and not is_hidden(cell):
        yield cell, f"the {what} of the page is shown", 'tag it "hide-input"'
