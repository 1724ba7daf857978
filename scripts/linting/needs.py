"""The tags needs-LIB: which cells rest on a library that may be missing.

A cell that imports one, or a module of the lab that does so at its top level,
has its tag.  LIB is the library's key in the lab's table.
"""

import ast
import functools

from linting import code
from onthefly.libraries import LIBRARIES
from onthefly.provenance import LAB
from reading import notebooks

PREFIX = "needs-"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
OPTIONAL = {
    library.module: key
    for key, library in LIBRARIES.items()
    if not library.needed
}


def broken(notebook):
    """Yield (cell, what is wrong, the repair) of a page's tags."""
    for cell in notebook["cells"]:
        tags = {
            tag.removeprefix(PREFIX)
            for tag in notebooks.tags(cell)
            if tag.startswith(PREFIX)
        }
        for key in sorted(tags - LIBRARIES.keys()):
            known = ", ".join(OPTIONAL.values())
            yield cell, f"tag {PREFIX}{key} of no library", f"use of {known}"
        if cell["cell_type"] != "code":
            continue
        for key in sorted(required(cell["source"]) - tags):
            what = f"it rests on {LIBRARIES[key].name}, which may be missing"
            yield cell, what, f'tag it "{PREFIX}{key}"'


def required(source):
    """Return the keys of the libraries that a cell cannot run without.

    What it imports in an `if` or a function, it asks for by itself.
    """
    return _libraries(_imports(code.parse(source).body))


def _libraries(modules):
    """Return the keys of the libraries that modules are of, or rest on."""
    keys, seen, waiting = set(), set(), list(modules)
    while waiting:
        names = _with_parents(waiting.pop())
        if key := next((OPTIONAL[n] for n in names if n in OPTIONAL), ""):
            keys.add(key)
        for name in set(names) - seen:
            seen.add(name)
            waiting += _imported_by(name)
    return keys


def _with_parents(module):
    """Return a module's name and those of its packages, its own first."""
    parts = module.split(".")
    return [".".join(parts[:n]) for n in range(len(parts), 0, -1)]


@functools.cache
def _imported_by(module):
    """Return what a module of the lab imports at its top level."""
    place = LAB.parent.joinpath(*module.split("."))
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_relative_to(LAB) and path.is_file():
            tree = ast.parse(path.read_text(encoding="utf-8"))
            return list(_imports(_executed(tree)))
    return []


def _executed(tree):
    """Yield the nodes of a module that run when it is imported.

    What a try looks after is not counted: the module can do without it.
    """
    for node in ast.iter_child_nodes(tree):
        looked_after = isinstance(node, ast.Try) and node.handlers
        if not looked_after and not isinstance(node, FUNCTIONS):
            yield node
            yield from _executed(node)


def _imports(nodes):
    """Yield the full names that import statements among nodes bring in."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
