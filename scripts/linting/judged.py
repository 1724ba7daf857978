"""A verdict that the page's own check has decided before says nothing.

What an assertion demands holds wherever the page comes to its end, so that a
claim judged by it could not be contradicted.
"""

import ast

from linting import code

REPAIR = "let the verdict tell it, and drop the assertion"


def broken(notebook):
    """Yield (cell, what is wrong, the repair)."""
    cells = [c for c in notebook["cells"] if c["cell_type"] == "code"]
    trees = [(cell, code.parse(cell["source"])) for cell in cells]
    demanded = {name for _, tree in trees for name in _demanded(tree)}
    for cell, tree in trees:
        for call in _judges(tree):
            names = demanded & _names(call.args[1])
            for name in sorted(names):
                claim = ast.unparse(call.args[0])
                yield (
                    cell,
                    f"line {call.lineno}: {claim} is judged by {name}, which "
                    "is asserted",
                    REPAIR,
                )


def _demanded(tree):
    """Yield the names that an assertion demands: itself, or all of it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            test = node.test
            if isinstance(test, ast.Call) and _called(test) == "all":
                (test,) = test.args or [test]
            if isinstance(test, ast.Call) and _called(test) == "values":
                test = test.func.value
            if isinstance(test, ast.Name):
                yield test.id


def _called(call):
    """Return the name of the function or method that is called."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _judges(tree):
    """Return the calls of a tree that judge a claim by a quantity."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", "") == "judge"
        and len(node.args) > 1
    ]


def _names(node):
    return {x.id for x in ast.walk(node) if isinstance(x, ast.Name)}
