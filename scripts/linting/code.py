"""The code of cells, and of the expressions in the prose, as trees.

Its style (lines, syntax, a bare except) is ruff's.
"""

import ast

from IPython.core.inputtransformer2 import TransformerManager

from linting import numbers

# The methods of a page that write on it, and their arguments.
WRITES = {
    "figure": ("chart", "name"),
    "picture": ("data",),
    "plot": ("data",),
    "judge": ("claim", "quantity", "why"),
    "cannot": ("claim", "reason"),
    "unresolved": ("claim", "reason"),
}
TEXTS = ("alt", "caption", "why", "reason")


def parse(source):
    """Return the syntax tree of a code cell, magics included.

    One without statements where it has no syntax: ruff names the error.
    """
    try:
        return ast.parse(TransformerManager().transform_cell(source))
    except SyntaxError:
        return ast.Module([], [])


def typed(tree):
    """Return [(line, number, argument)] of what is typed for the page.

    These are the machine's numbers in the texts that a tree writes on it.
    """
    return [
        (part.lineno, number, name)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        for name, argument in _arguments(call)
        if name in TEXTS
        for part in ast.walk(argument)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
        for _, number in numbers.typed(part.value)
    ]


def _arguments(call):
    """Return [(name, node)] for a call of a method that writes, or []."""
    method = getattr(call.func, "attr", None)
    if method not in WRITES:
        return []
    named = [(keyword.arg, keyword.value) for keyword in call.keywords]
    return [*zip(WRITES[method], call.args, strict=False), *named]
