"""One name of the prose, one value a page.

JupyterLab asks what the prose says when all code has run, the book where it
stands: a name that is bound twice would show two values.
"""

import ast
import collections
import symtable

from linting import code, prose


def broken(notebook):
    """Yield (cell, what is wrong, the repair) of a page's names."""
    asked = {
        name
        for cell in notebook["cells"]
        if cell["cell_type"] == "markdown"
        for _, expression in prose.expressions(cell["source"])
        for name in read(expression)
    }
    cells = collections.Counter()
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            again = bound(cell["source"]) & asked
            cells.update(again)
            for name in sorted(again):
                if cells[name] == 2:
                    what = f"{name}, which the prose says, gets another value"
                    yield cell, what, "give it another name"


def read(expression):
    """Return the names that an expression reads, none where it is none."""
    try:
        table = symtable.symtable(expression, "prose", "eval")
    except (SyntaxError, ValueError):
        return set()
    return _global_names(table)


def _global_names(table):
    """Return the names that a table of symbols, or one within, has not."""
    own = {x.get_name() for x in table.get_symbols() if x.is_global()}
    return own.union(*map(_global_names, table.get_children()))


def bound(source):
    """Return the names that a cell binds outside of its functions."""
    text = ast.unparse(code.parse(source))
    try:
        table = symtable.symtable(text, "cell", "exec")
    except SyntaxError:  # of code that parses, and is none: ruff names it
        return set()
    return {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() or symbol.is_imported()
    }
