"""What the prose shows by name: {eval}`diagram("gil")`, a program's file."""

import ast

from linting import prose
from onthefly.figures.diagrams import DRAWINGS
from onthefly.folders import PACKAGE


def broken(notebook):
    """Yield (cell, what is wrong, the repair) of what a page shows."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            for line, expression in prose.expressions(cell["source"]):
                for kind, asked in _asked(expression):
                    what = f"line {line}: {asked}: there is no such {kind}"
                    yield cell, what, REPAIRS[kind]


def _is_diagram(names):
    return len(names) == 1 and names[0] in DRAWINGS


def _is_program(names):
    return bool(names) and all(
        isinstance(name, str) and (PACKAGE / name).is_file() for name in names
    )


KINDS = {"diagram": _is_diagram, "program": _is_program}
REPAIRS = {
    "diagram": f"name one of {', '.join(DRAWINGS)}",
    "program": "name a file of the package: kernels/pi/pi_numba.py",
}


def _asked(expression):
    """Yield (kind, call) of what an expression asks for and is not there."""
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError):  # another rule names it
        return
    for node in ast.walk(tree):
        kind = _kind(node)
        if kind in KINDS:
            names = [getattr(one, "value", None) for one in node.args]
            if not KINDS[kind](names):
                yield kind, ast.unparse(node)


def _kind(node):
    """Return the name of the function that a node calls, or ""."""
    return getattr(getattr(node, "func", None), "id", "")
