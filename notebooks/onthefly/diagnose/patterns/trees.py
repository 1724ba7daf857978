"""The tree of a function's source: parse, match, change, write again."""

import ast
import copy
import textwrap


def function(source):
    """Return the ast.FunctionDef of a source, without its decorators
    and what it says of the types.

    Raises
    ------
    ValueError  where the source cannot be parsed, or has no plain `def`

    """
    try:
        tree = ast.parse(textwrap.dedent(source))
    except SyntaxError as error:
        raise ValueError(f"this is no Python: {error}") from error
    if not tree.body or not isinstance(tree.body[0], ast.FunctionDef):
        raise ValueError("this is no function that `def` begins")
    found = tree.body[0]
    found.decorator_list, found.returns = [], None
    args = found.args
    for arg in args.posonlyargs + args.args + args.kwonlyargs:
        arg.annotation = None
    return found


def text(node):
    """Return the source of a node, or of a list of statements."""
    if isinstance(node, list):
        return "\n".join(text(each) for each in node)
    return ast.unparse(ast.fix_missing_locations(node))


def expression(source):
    """Return the tree of an expression."""
    return ast.parse(source, mode="eval").body


def statements(source):
    """Return the trees of some statements."""
    return ast.parse(textwrap.dedent(source)).body


def parameters(node):
    """Return the names of a function's parameters, in the order of a call."""
    args = node.args
    return [a.arg for a in args.posonlyargs + args.args + args.kwonlyargs]


def identifiers(node):
    """Return every name in a tree: of variables, parameters, attributes."""
    found = set()
    for each in ast.walk(node):
        for field in ("id", "arg", "attr", "name"):
            found.add(getattr(each, field, None))
    return {name for name in found if isinstance(name, str)}


def fresh(stem, used):
    """Return a name that is not used yet, and note that it is now."""
    name, count = stem, 1
    while name in used:
        count += 1
        name = f"{stem}{count}"
    used.add(name)
    return name


def reads(*nodes):
    """Return the names of variables that are read somewhere in the trees."""
    return _of(nodes, ast.Load)


def writes(*nodes):
    """Return the names of variables that are assigned in the trees."""
    return _of(nodes, ast.Store) | _of(nodes, ast.Del)


def _of(nodes, context):
    return {
        each.id
        for node in nodes
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, context)
    }


def is_name(node, name=None):
    """Tell whether a node is a variable, or a certain one."""
    return isinstance(node, ast.Name) and name in (None, node.id)


def calls(node, *names):
    """Tell whether a node calls one of the functions, named as in a source.

    `calls(node, "range")`, `calls(node, "np.mean", "numpy.mean")`.
    """
    return isinstance(node, ast.Call) and dotted(node.func) in names


def dotted(node):
    """Return `a.b.c` of such a chain of names, or an empty text."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def same(one, other):
    """Tell whether two trees are the same, read or written."""
    return _plain(one) == _plain(other)


def _plain(node):
    words = ast.dump(node).replace("Store()", "Load()")
    return words.replace("Del()", "Load()")


class _Exchange(ast.NodeTransformer):
    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        new = self.names.get(node.id)
        if new is None:
            return node
        if isinstance(new, str):
            return ast.copy_location(ast.Name(new, node.ctx), node)
        return copy.deepcopy(new)


def exchanged(node, names):
    """Return a copy in which names are exchanged for names or trees.

    Parameters
    ----------
    node   the tree, or a list of trees
    names  {name: its new name, or the tree of an expression}

    """
    if isinstance(node, list):
        return [exchanged(each, names) for each in node]
    return _Exchange(names).visit(copy.deepcopy(node))


def match(pattern, node):
    """Compare a tree with a pattern.

    Parameters
    ----------
    pattern  source of an expression, or of one or several statements, in
             which a name that ends in `_` stands for any expression; where
             it occurs twice, for the same one
    node     tree of an expression or statement, or a list of statements

    Returns
    -------
    {name without its `_`: tree}, or None where the two differ

    """
    found = {}
    if isinstance(node, ast.expr):
        fits = _fits(expression(pattern), node, found)
    else:
        nodes = node if isinstance(node, list) else [node]
        fits = _fits(statements(pattern), nodes, found)
    return found if fits else None


def _fits(pattern, node, found):
    if isinstance(pattern, ast.Name) and pattern.id.endswith("_"):
        return _binds(pattern.id[:-1], node, found)
    if isinstance(pattern, list):
        return (
            isinstance(node, list)
            and len(pattern) == len(node)
            and all(map(_fits, pattern, node, [found] * len(node)))
        )
    if not isinstance(pattern, ast.AST):
        return type(pattern) is type(node) and pattern == node
    if type(pattern) is not type(node):
        return False
    return all(
        _fits(getattr(pattern, field), getattr(node, field), found)
        for field in pattern._fields
        if field not in ("ctx", "type_comment", "kind")
    )


def _binds(name, node, found):
    if not isinstance(node, ast.expr):
        return False
    if name in found:
        return same(found[name], node)
    found[name] = node
    return True


def first_match(patterns, node):
    """Return what the first pattern that fits binds, or None."""
    for pattern in patterns:
        found = match(pattern, node)
        if found is not None:
            return found
    return None
