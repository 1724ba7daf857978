"""The code of cells, and of the expressions in the prose, as trees.

Its style (lines, syntax, a bare except) is ruff's.
"""

import ast
import functools

from IPython.core.inputtransformer2 import TransformerManager


@functools.cache
def parse(source):
    """Return the syntax tree of a code cell, magics included.

    One without statements where it has no syntax: ruff names the error.
    """
    try:
        return ast.parse(TransformerManager().transform_cell(source))
    except SyntaxError:
        return ast.Module([], [])
