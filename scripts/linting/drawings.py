"""The diagrams that the prose asks for: {eval}`diagram("gil")` names one."""

import ast

from linting import prose
from onthefly.figures.diagrams import DRAWINGS


def broken(notebook):
    """Yield (cell, what is wrong, the repair) of a page's diagrams."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            for line, expression in prose.expressions(cell["source"]):
                for asked in _asked(expression):
                    what = f"line {line}: {asked}: there is no such diagram"
                    yield cell, what, f"name one of {', '.join(DRAWINGS)}"


def _asked(expression):
    """Yield the calls of an expression that ask for a diagram not there."""
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError):  # another rule names it
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_diagram(node.func):
            names = [getattr(one, "value", None) for one in node.args]
            if len(names) != 1 or names[0] not in DRAWINGS:
                yield ast.unparse(node)


def _is_diagram(node):
    return isinstance(node, ast.Name) and node.id == "diagram"
