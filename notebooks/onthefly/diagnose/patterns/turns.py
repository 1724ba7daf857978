"""Whether the turns of a loop can be run in any order.

They can where each turn changes only variables of its own, places of arrays
that are its own (`a[i]`, `a[i, j]`), and sums, products, minima and maxima
that nothing in the loop reads.
"""

import ast
import inspect

from onthefly.diagnose.patterns import trees
from onthefly.diagnose.patterns.liveness import needed, needed_after
from onthefly.diagnose.patterns.places import stored_arrays

# Statements and expressions whose order may matter, or that Numba's threads
# do not take.
REFUSED = (
    ast.Return | ast.Raise | ast.Try | ast.With | ast.Global | ast.Nonlocal
    | ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
    | ast.Delete | ast.Assert | ast.AsyncFor | ast.AsyncWith | ast.Lambda
    | ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr | ast.Starred
    | ast.Dict | ast.Set | ast.DictComp | ast.SetComp | ast.GeneratorExp
    | ast.JoinedStr | ast.Match
)  # fmt: skip

# Methods that change nothing.
PURE_NAMES = (
    "sum min max mean std var prod copy dot astype argmin argmax all any "
    "item conjugate conj transpose reshape ravel flatten view"
)
PURE = set(PURE_NAMES.split())
# Functions whose order of calls matters.
IMPURE = {"print", "input", "open", "next", "iter", "exec", "eval", "setattr"}
IMPURE |= {"random", "randint", "randrange", "rand", "randn", "shuffle"}
IMPURE |= {"sleep", "perf_counter", "time", "uniform", "normal", "choice"}


def independent(function, loop, index):
    """Return how a loop's reductions are written, or None.

    Parameters
    ----------
    function  the tree of the function
    loop      one of its `for` loops
    index     name of the variable that counts the turns

    Returns
    -------
    {statement: the statement that Numba knows as a reduction}, for those to
    exchange; None where the turns must be run in order

    """
    outside = ast.Global | ast.Nonlocal
    if any(isinstance(node, outside) for node in ast.walk(function)):
        return None
    if loop.orelse or _refused(loop) or index in trees.writes(*loop.body):
        return None
    own, others = _own_variables(function, loop, index)
    if own is None:
        return None
    exchanges, reduced = {}, set()
    for name in others:
        found = _reduction(loop, name)
        if found is None:
            return None
        exchanges.update(found)
        reduced.add(name)
    stored = stored_arrays(function, loop, index, own)
    if stored is None or not (stored or reduced):
        return None
    return exchanges


def _refused(loop):
    for statement in loop.body:
        if _leaves(statement):
            return True
        for node in ast.walk(statement):
            if isinstance(node, REFUSED) or _changes_things(node):
                return True
    return False


def _leaves(statement):
    """Tell whether a `break` leaves the loop whose body this is part of."""
    if isinstance(statement, ast.Break):
        return True
    if isinstance(statement, ast.For | ast.While):
        return any(map(_leaves, statement.orelse))
    blocks = getattr(statement, "body", []), getattr(statement, "orelse", [])
    return isinstance(statement, ast.If) and any(
        _leaves(each) for block in blocks for each in block
    )


def _changes_things(node):
    """Tell whether a node may change more than variables and arrays."""
    if isinstance(node, ast.Expr):  # its value is unused: it has an effect
        return not isinstance(node.value, ast.Constant | ast.Name)
    if isinstance(node, ast.Attribute):
        return not isinstance(node.ctx, ast.Load)
    if not isinstance(node, ast.Call):
        return False
    parts = trees.dotted(node.func).split(".")
    if IMPURE & set(parts):
        return True
    is_method = isinstance(node.func, ast.Attribute)
    if not node.args and not is_method:
        return True  # the same call again and again: it counts, or draws
    known = parts[0] in ("np", "numpy", "math", "cmath")
    return is_method and not known and node.func.attr not in PURE


def _own_variables(function, loop, index):
    """Return the turn's own variables, and the others that it assigns."""
    after = needed_after(function, loop)
    if index in after:
        return None, None
    carried = needed(loop.body, loop=after) | after
    assigned = trees.writes(*loop.body)
    return assigned - carried, assigned & carried


def _reduction(loop, name):
    """Return {statement: new one} where a variable is only accumulated."""
    kinds, exchanges, allowed = set(), {}, 0
    for statement in ast.walk(loop):
        if not isinstance(statement, ast.stmt):
            continue
        found = _accumulates(statement, name)
        if found is not None:
            kind, new, uses = found
            kinds.add(kind)
            allowed += uses
            if new is not None:
                exchanges[statement] = new
    uses = sum(trees.is_name(node, name) for node in ast.walk(loop))
    return exchanges if len(kinds) == 1 and uses == allowed else None


def _accumulates(statement, name):
    """Return the kind, a new statement or None, and how often it is named."""
    if isinstance(statement, ast.AugAssign):
        return _augmented(statement, name)
    for kind in ("max", "min"):
        for pattern in (
            f"{name} = {kind}({name}, value_)",
            f"{name} = {kind}(value_, {name})",
        ):
            if found := trees.match(pattern, statement):
                return _checked(kind, None, 2, found["value"], name)
    for pattern, kind in COMPARED.items():
        if found := trees.match(pattern.replace("NAME", name), statement):
            new = trees.statements(f"{name} = {kind}({name}, 0)")[0]
            new.value.args[1] = found["value"]
            return _checked(kind, new, 2, found["value"], name)
    for form in PLAIN:
        if found := trees.match(form.replace("NAME", name), statement):
            sign = "*" if "*" in form else "+"
            new = trees.statements(f"{name} {sign}= 0")[0]
            new.value = found["value"]
            return _checked(sign, new, 2, found["value"], name)
    return None


PLAIN = (
    "NAME = NAME + value_",
    "NAME = value_ + NAME",
    "NAME = NAME * value_",
    "NAME = value_ * NAME",
)
COMPARED = {
    "if value_ > NAME: NAME = value_": "max",
    "if value_ >= NAME: NAME = value_": "max",
    "if NAME < value_: NAME = value_": "max",
    "if NAME <= value_: NAME = value_": "max",
    "if value_ < NAME: NAME = value_": "min",
    "if value_ <= NAME: NAME = value_": "min",
    "if NAME > value_: NAME = value_": "min",
    "if NAME >= value_: NAME = value_": "min",
}


def _augmented(statement, name):
    signs = {ast.Add: "+", ast.Mult: "*", ast.Sub: "+"}
    sign = signs.get(type(statement.op))
    if not trees.is_name(statement.target, name) or sign is None:
        return None
    new = None
    if isinstance(statement.op, ast.Sub):  # Numba joins sums, not differences
        new = trees.statements(f"{name} += -0")[0]
        new.value.operand = statement.value
    return _checked(sign, new, 1, statement.value, name)


def _checked(kind, new, uses, value, name):
    """Return what was found, unless it is no number that is accumulated."""
    sequence = ast.List | ast.Tuple | ast.ListComp | ast.JoinedStr
    is_text = isinstance(value, ast.Constant) and isinstance(value.value, str)
    if isinstance(value, sequence) or is_text or name in trees.reads(value):
        return None
    return kind, new, uses


def changers(names):
    """Return which of some functions change more than their own variables.

    Parameters
    ----------
    names  {name: value}, as a function's globals

    """
    return {name for name, value in names.items() if _changes(value)}


def _changes(value):
    value = getattr(value, "py_func", value)  # of what Numba has compiled
    if not inspect.isfunction(value):
        return False
    try:
        tree = trees.function(inspect.getsource(value))
    except (OSError, TypeError, ValueError):
        return False
    outside = ast.Global | ast.Nonlocal
    made = trees.writes(*tree.body)
    for node in ast.walk(tree):
        if isinstance(node, outside) or _changes_things(node):
            return True
        stores = isinstance(node, ast.Subscript) and isinstance(
            node.ctx, ast.Store
        )
        if stores and not trees.reads(node.value) & made:
            return True
    return False
