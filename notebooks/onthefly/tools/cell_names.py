"""Which names a cell reads and binds, by its syntax."""

import ast
import symtable

from IPython.core.inputtransformer2 import TransformerManager


def statements(source):
    """Yield (names read, names bound) of each statement of a cell, as sets.

    source  text of a cell, which may hold IPython's own commands

    Names are the cell's own: what a function or a comprehension binds
    within is not among them.  Of a loop or another block, a name that it
    binds counts as read nowhere.  What changes a list's or a dict's elements
    reads its name.

    Raises SyntaxError.
    """
    text = TransformerManager().transform_cell(source)
    for node in ast.parse(text).body:
        yield of(node)


def of(node):
    """Return (names read, names bound) of one statement: see `statements`."""
    top = symtable.symtable(ast.unparse(node), "cell", "exec")
    own = [
        symbol
        for table in _tables(top)
        for symbol in table.get_symbols()
        if table is top or symbol.is_global()
    ]
    bound = {
        symbol.get_name()
        for symbol in own
        if symbol.is_assigned() or symbol.is_imported()
    }
    read = {x.get_name() for x in own if x.is_referenced()}
    if isinstance(node, ast.AugAssign):  # x += 1, which symtable takes
        read |= bound  # for a binding alone
    elif hasattr(node, "body"):
        read -= bound
    return read, bound


def _tables(table):
    """Yield a table of symbols and those within it."""
    yield table
    for child in table.get_children():
        yield from _tables(child)
