"""Sorting by hand, counting by hand: functions of Python do it."""

import ast

from onthefly.diagnose.patterns import grouping, trees

SWAPS = (
    "a_[i_], a_[j_] = a_[j_], a_[i_]",
    "(a_[i_], a_[j_]) = (a_[j_], a_[i_])",
)
INSERTION = (
    "while j_ >= 0 and a_[j_] > key_:\n a_[j_ + 1] = a_[j_]\n j_ -= 1",
    "while j_ >= 0 and key_ < a_[j_]:\n a_[j_ + 1] = a_[j_]\n j_ -= 1",
    "while j_ > 0 and a_[j_ - 1] > key_:\n a_[j_] = a_[j_ - 1]\n j_ -= 1",
    "while j_ > 0 and a_[j_ - 1] > a_[j_]:\n"
    " a_[j_ - 1], a_[j_] = a_[j_], a_[j_ - 1]\n j_ -= 1",
)


def sorted_by_method(function):
    """Write a loop that sorts by hand as `x.sort()`.

    Returns
    -------
    The array's name, or None where no loop sorts

    """
    for place, statement in enumerate(function.body):
        name = _sorts(statement)
        if name is None:
            continue
        function.body[place : place + 1] = trees.statements(f"{name}.sort()")
        return name
    return None


def _sorts(loop):
    """Return the name of what a statement sorts upwards, or None."""
    if not isinstance(loop, ast.For | ast.While):
        return None
    inner = [n for s in loop.body for n in ast.walk(s)]
    if not any(isinstance(each, ast.For | ast.While) for each in inner):
        return None
    names = {_insertion(each) or _swap(each, inner) for each in inner}
    names -= {None}
    return names.pop() if len(names) == 1 and _only(loop, names) else None


def _insertion(node):
    if not isinstance(node, ast.While):
        return None
    found = trees.first_match(INSERTION, node)
    return found and getattr(found["a"], "id", None)


def _swap(node, inner):
    """Return the array of which a turn swaps two items if they are wrong."""
    found = isinstance(node, ast.Assign) and trees.first_match(SWAPS, node)
    if not found or not isinstance(found["a"], ast.Name):
        return None
    name = found["a"].id
    tests = [
        trees.first_match(
            [f"{name}[i_] > {name}[j_]", f"{name}[i_] < {name}[j_]"], test
        )
        for test in inner
        if isinstance(test, ast.Compare)
    ]
    return name if any(tests) and _is_upwards(inner, name) else None


def _is_upwards(inner, name):
    """Tell whether the smaller one goes to the front, as far as is seen."""
    for node in inner:
        if not isinstance(node, ast.Compare):
            continue
        up = trees.first_match(
            [
                f"{name}[j_] > {name}[j_ + 1]",
                f"{name}[j_ - 1] > {name}[j_]",
                f"{name}[j_ + 1] < {name}[j_]",
                f"{name}[j_] < {name}[j_ - 1]",
                f"{name}[j_] < {name}[low_]",
                f"{name}[low_] > {name}[j_]",
            ],
            node,
        )
        if up:
            return True
    return False


def _only(loop, names):
    """Tell whether a loop changes numbers and this one array alone."""
    for node in ast.walk(loop):
        if isinstance(node, ast.Subscript) and isinstance(
            node.ctx, ast.Store
        ):
            if getattr(node.value, "id", None) not in names:
                return False
        elif isinstance(node, ast.Call | ast.Return) and not trees.calls(
            node, "range", "len"
        ):
            return False
    return True


def counted_by_counter(function):
    """Write a loop that counts items in a dict with `Counter`.

    Returns
    -------
    What is counted, or None where no loop counts

    """
    empty = {
        node.targets[0].id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and grouping.is_empty_dict(node.value)
    }
    for place, loop in enumerate(function.body):
        if not isinstance(loop, ast.For) or loop.orelse:
            continue
        found = grouping.grows(loop.body)
        if found is None or found[1] != len(loop.body):
            continue
        parts = found[0]
        counts = trees.same(parts["v"], ast.Constant(1))
        if not counts or parts["d"].id not in empty:
            continue
        if not isinstance(loop.target, ast.Name):
            continue
        what = trees.text(loop.iter)
        if not trees.same(parts["k"], loop.target):
            over = f"{trees.text(loop.target)} in {what}"
            what = f"({trees.text(parts['k'])} for {over})"
        name = parts["d"].id
        line = f"{name} = dict(Counter({what.strip()}))"
        function.body[place] = trees.statements(line)[0]
        return what
    return None
