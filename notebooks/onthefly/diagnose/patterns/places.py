"""Which places of arrays a loop's turn uses, and whether others do."""

import ast

from onthefly.diagnose.patterns import trees

# What makes an array, a list, of a turn's own.
MAKERS = {"zeros", "ones", "empty", "full", "zeros_like", "empty_like"}
MAKERS |= {"ones_like", "full_like", "arange", "linspace", "copy", "array"}


def stored_arrays(function, loop, index, own):
    """Return the arrays of others that a turn stores to, or None.

    None where a turn may store to a place that another turn uses.
    """
    fresh, views = _own_arrays(loop, index, own)
    if fresh is None:
        return None
    stored, whole = set(), _alike(function)
    for statement in loop.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Subscript) and _is_store(node):
                root, first = _root(node)
                if root in views:
                    stored.add(views[root])
                elif root in fresh:
                    continue
                elif root is None or not trees.is_name(first, index):
                    return None
                else:
                    stored.add(root)
    groups = [whole.get(name, {name}) for name in stored]
    if any(len(group & trees.reads(*loop.body)) > 1 for group in groups):
        return None
    fits = all(_only_at(loop.body, name, index) for name in stored)
    return stored if fits and not _are_mappings(function, stored) else None


def _is_store(node):
    return isinstance(node.ctx, ast.Store | ast.Del)


def _root(node):
    """Return the name that a chain of subscripts starts with, and the first
    subscript, or its first part.
    """
    while isinstance(node.value, ast.Subscript):
        node = node.value
    first = node.slice
    if isinstance(first, ast.Tuple) and first.elts:
        first = first.elts[0]
    name = node.value.id if isinstance(node.value, ast.Name) else None
    return name, first


def _own_arrays(loop, index, own):
    """Return the names of arrays made in a turn, and {name of a row: array}.

    (None, None) where a name may be of an array that others use.
    """
    stored = {
        _root(node)[0]
        for statement in loop.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Subscript) and _is_store(node)
    }
    fresh, views = set(), {}
    for name in stored & own:
        for value in _values(loop, name):
            if _is_made(value):
                fresh.add(name)
            elif isinstance(value, ast.Subscript) and trees.is_name(
                _root(value)[1], index
            ):
                views[name] = _root(value)[0]
            else:
                return None, None
    return (None, None) if fresh & set(views) else (fresh, views)


def _values(tree, name):
    """Return what is assigned to a name; None for what is not plain."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and name in trees.writes(node):
            plain = trees.is_name(node.targets[0], name)
            found.append(node.value if plain else None)
        elif isinstance(node, ast.For) and name in trees.writes(node.target):
            found.append(None)
    return found


def _is_made(value):
    if isinstance(value, ast.List | ast.ListComp):
        return True
    if isinstance(value, ast.BinOp):
        return _is_made(value.left) or _is_made(value.right)
    return isinstance(value, ast.Call) and (
        trees.dotted(value.func).split(".")[-1] in MAKERS
        or getattr(value.func, "attr", "") == "copy"
    )


def _alike(function):
    """Return {name: names that may be of the same array}."""
    groups = {}
    for node in ast.walk(function):
        if not isinstance(node, ast.Assign):
            continue
        source, is_element = _source(node.value)
        names = trees.writes(*node.targets)
        if is_element:  # a number, unless it is used as a row
            names = {name for name in names if _is_indexed(function, name)}
        if source is None or not names:
            continue
        names = names | {source}
        joined = set().union(names, *(groups.get(n, ()) for n in names))
        for name in joined:
            groups[name] = joined
    return groups


def _source(value):
    """Return the variable that a value may be a view of, and whether it
    may as well be one of its elements.
    """
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        value = value.func.value  # x.reshape(…), x.ravel()
    is_element = isinstance(value, ast.Subscript)
    while isinstance(value, ast.Subscript | ast.Attribute):
        is_slice = isinstance(value, ast.Subscript) and any(
            isinstance(each, ast.Slice) for each in ast.walk(value.slice)
        )
        is_element = is_element and not is_slice
        value = value.value
    return (value.id if isinstance(value, ast.Name) else None), is_element


def _is_indexed(function, name):
    return any(
        isinstance(node, ast.Subscript) and trees.is_name(node.value, name)
        for node in ast.walk(function)
    )


def _only_at(body, name, index):
    """Tell whether an array is used only at its turn's own places."""
    fitting = 0
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Subscript):
                direct = trees.is_name(node.value, name)
                fitting += direct and trees.is_name(_root(node)[1], index)
            elif trees.calls(node, "len") and node.args:
                fitting += trees.is_name(node.args[0], name)
            elif isinstance(node, ast.Attribute):
                at = trees.is_name(node.value, name)
                fitting += at and node.attr in ("shape", "size", "dtype")
    uses = [n for s in body for n in ast.walk(s) if trees.is_name(n, name)]
    return len(uses) == fitting


def _are_mappings(function, names):
    """Tell whether one of the names is a dict's, made in the function."""
    kinds = "dict", "defaultdict", "Counter", "Dict", "OrderedDict", "empty"
    for name in names:
        for value in _values(function, name):
            last = (
                trees.dotted(value.func).split(".")[-1]
                if isinstance(value, ast.Call)
                else ""
            )
            of_numpy = isinstance(value, ast.Call) and trees.dotted(
                value.func
            ).startswith(("np.", "numpy."))
            if isinstance(value, ast.Dict | ast.DictComp):
                return True
            if last in kinds and not of_numpy:
                return True
    return False
