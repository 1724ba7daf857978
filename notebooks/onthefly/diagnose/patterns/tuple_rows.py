"""A list of tuples as an array with a row each: what the source becomes."""

import ast


def unpacked(function, name, width):
    """Let a function take the rows of an array in the place of tuples.

    ``a, b = items[i]`` becomes ``a = items[i, 0]`` and ``b = items[i, 1]``,
    ``for a, b in items`` a loop over the places.

    Parameters
    ----------
    function  its ast.FunctionDef, which is changed
    name      of the parameter
    width     numbers in a tuple

    Returns
    -------
    Whether all uses of the name were of these forms, or ``len(items)``

    """
    change = _Rows(name, width)
    change.visit(function)
    ast.fix_missing_locations(function)
    return change.found and not change.other and _is_left(function, name)


class _Rows(ast.NodeTransformer):
    def __init__(self, name, width):
        self.name, self.width = name, width
        self.found, self.other, self.loops = False, False, 0

    def _targets(self, node):
        """Return the names that a tuple of targets binds, or None."""
        if not isinstance(node, ast.Tuple) or len(node.elts) != self.width:
            return None
        names = [getattr(target, "id", None) for target in node.elts]
        return None if None in names else names

    def _assigned(self, names, index):
        """Return an assignment a name, of a row's elements."""
        self.found = True
        return [
            ast.parse(f"{target} = {self.name}[{index}, {k}]").body[0]
            for k, target in enumerate(names)
        ]

    def visit_Assign(self, node):
        value = node.value
        of_list = (
            isinstance(value, ast.Subscript)
            and getattr(value.value, "id", "") == self.name
            and not isinstance(value.slice, ast.Slice)
        )
        names = self._targets(node.targets[0]) if of_list else None
        if names is None or len(node.targets) != 1:
            return node
        read = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
        if read & set(names):
            self.other = True
            return node
        return self._assigned(names, ast.unparse(value.slice))

    def visit_For(self, node):
        self.generic_visit(node)
        names = self._targets(node.target)
        if getattr(node.iter, "id", "") != self.name or names is None:
            return node
        self.loops += 1
        index = f"row_{self.loops}"
        node.target = ast.Name(index, ast.Store())
        node.iter = ast.parse(f"range(len({self.name}))").body[0].value
        node.body = [*self._assigned(names, index), *node.body]
        return node


def _is_left(function, name):
    """Tell whether a name is only left in ``name[…, k]``, ``len(name)``."""
    allowed = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(
            node.slice, ast.Tuple
        ):
            allowed.add(id(node.value))
        if (
            isinstance(node, ast.Call)
            and getattr(node.func, "id", "") == "len"
        ):
            allowed |= set(map(id, node.args))
    return all(
        id(node) in allowed
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and node.id == name
    )
