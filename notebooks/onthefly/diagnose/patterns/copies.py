"""Copies of lists that are none of arrays: what the source becomes."""

import ast

from onthefly.diagnose.patterns import trees


def copied(function, names):
    """Let a function copy arrays where it copies lists.

    ``rows[:]`` of a list is a copy, and of an array a view of it;
    ``rows.copy()`` copies both.

    Parameters
    ----------
    function  its ast.FunctionDef, which is changed
    names     of the parameters that are lists, perhaps of lists

    Returns
    -------
    The source of what was copied first, as "row", or "" where nothing is

    """
    change = _Copies(_with_items(function, names))
    change.visit(function)
    return change.first


def _with_items(function, names):
    """Return names, and those of what loops take out of them."""
    found = set(names)
    for node in ast.walk(function):
        if isinstance(node, ast.For | ast.comprehension) and trees.is_name(
            node.iter
        ):
            taken = node.iter.id in found and trees.is_name(node.target)
            found |= {node.target.id} if taken else set()
    return found


class _Copies(ast.NodeTransformer):
    def __init__(self, names):
        self.names, self.first = names, ""

    def visit_Subscript(self, node):
        self.generic_visit(node)
        whole = isinstance(node.slice, ast.Slice) and not any(
            [node.slice.lower, node.slice.upper, node.slice.step]
        )
        read = isinstance(node.ctx, ast.Load)
        if not (whole and read and self._of_list(node.value)):
            return node
        text = ast.unparse(node.value)
        self.first = self.first or text
        return trees.expression(f"{text}.copy()")

    def _of_list(self, node):
        """Tell whether a node is one of the names, or an item of it."""
        while isinstance(node, ast.Subscript):
            node = node.value
        return trees.is_name(node) and node.id in self.names
