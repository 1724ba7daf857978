"""What the cells of a page measure, told without running them."""

import ast
import functools

from onthefly import keys, missing
from reading import notebooks

MEASURES = ("measure", "sample", "collect", "look")


@functools.cache
def _lab(folder):
    return keys.Lab(folder)


def asked(cells, parameters, lab):
    """Yield (Statement, its key) of those that may ask for a measurement.

    cells       of a notebook, in their order; those that lack a library are
                left out, as in a run
    parameters  {name: value} of preset, device and seed
    lab         folder of the lab that the page imports
    """
    statements, lacking, own = [], missing.Cells(), set()
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        lack = lacking.lack(cell["source"], notebooks.tags(cell))
        lacking.done(cell["source"], lack)
        if lack:
            continue
        for statement in keys.statements(cell["source"]):
            statements.append(statement)
            if _asks(statement) or statement.reads & own:
                own |= statement.binds if _defines(statement) else set()
                key = keys.key(statements, parameters, _lab(lab))
                yield statement, key


def _defines(statement):
    """Tell whether a statement defines a function, which asks if called."""
    return isinstance(statement.node, ast.FunctionDef)


def _asks(statement):
    """Tell whether a statement may ask for a measurement, or its callee."""
    methods = {method for method, _ in keys.of_book(statement.node)}
    return bool(methods & {*MEASURES, ""})


def names(statement):
    """Yield the names of measurements that stand in a statement."""
    for method, arguments in keys.of_book(statement.node):
        if method in MEASURES and arguments:
            name = getattr(arguments[0], "value", None)
            if isinstance(name, str):
                yield name


def anywhere(statement):
    """Tell whether what it asks is the same on every machine."""
    return any(
        isinstance(one, ast.keyword) and one.arg == "anywhere"
        for one in ast.walk(statement.node)
    )


def nearest(key, every):
    """Return what differs between a key and the most similar one."""
    changes = (", ".join(keys.changes(key, other)) for other in every)
    return min(changes, key=len, default="not in the page")
