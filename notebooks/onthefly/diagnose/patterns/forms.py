"""What a whole array's expression is, and parts of such ones."""

import ast
import dataclasses

from onthefly.diagnose.patterns import trees


@dataclasses.dataclass(frozen=True)
class Form:
    """An array's tree, and the axes along which it is not the same.

    tree  of the expression
    axes  set of their indices' names
    """

    tree: ast.expr
    axes: frozenset = frozenset()


def call_of(name, *args):
    return ast.Call(trees.expression(name), list(args), [])


def method_of(tree, name, *args):
    return ast.Call(ast.Attribute(tree, name, ast.Load()), list(args), [])


def is_zero(node):
    return trees.same(node, ast.Constant(0))


def is_all(node):
    return isinstance(node, ast.Slice) and node.lower is node.upper is None


def filled(text, **trees_of):
    """Return an expression in which names are exchanged for trees."""
    return trees.exchanged(trees.expression(text), trees_of)
