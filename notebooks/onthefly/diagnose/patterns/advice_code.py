"""What in a function's code keeps it out of Numba.

Each rule takes a Case and returns (rank, sentence), or None; a rank below 1
says that nothing is gained by compiling.
"""

import ast
import sys

from onthefly.diagnose.patterns import trees
from onthefly.diagnose.patterns.advice_time import TIME_RULES


def _keywords(case):
    args = case.tree.args
    if args.kwonlyargs:
        name = args.kwonlyargs[0].arg
        return 1, (
            f"`{name}` is given by its name alone: take out the `*` before "
            "it, and give it by its place."
        )
    if args.kwarg:
        return 1, (
            f"`**{args.kwarg.arg}` is a dict of arguments: name each one."
        )
    return None


def _classes(case):
    for node in ast.walk(case.tree):
        if not isinstance(node, ast.Call):
            continue
        name = trees.dotted(node.func)
        if isinstance(case.names.get(name), type) and not is_known(
            case.names[name]
        ):
            return 1, (
                f"{case.at(node)} `{name}` is a Python class: decorate it "
                "with `numba.experimental.jitclass`, or keep its values in "
                "local variables."
            )
    if isinstance(case.find(ast.ClassDef), ast.ClassDef):
        node = case.find(ast.ClassDef)
        return 1, f"{case.at(node)} `class` in a function: move it outside."
    return None


def is_known(kind):
    """Tell whether a class is no one's own that a loop could do without."""
    home = kind.__module__.partition(".")[0]
    ours = home in sys.stdlib_module_names or home in ("numpy", "numba")
    return ours or issubclass(kind, (tuple, Exception))


def _method(case):
    names = trees.parameters(case.tree)
    if names[:1] == ["self"]:
        return 1, (
            "`self` is an object of Python: move the loop into a function "
            "that gets numbers and arrays."
        )
    return None


def _globals(case):
    node = case.find(ast.Global)
    if node is not None:
        name = node.names[0]
        return 1, (
            f"{case.at(node)} `{name}` is a global that is changed: give it "
            "as an argument, and return it."
        )
    own = trees.writes(*case.tree.body) | set(trees.parameters(case.tree))
    for node in ast.walk(case.tree):
        if not isinstance(node, ast.Subscript) or not isinstance(
            node.ctx, ast.Store
        ):
            continue
        name = getattr(node.value, "id", "")
        if name in case.names and name not in own:
            return 1, (
                f"{case.at(node)} `{name}` is a global that is filled: give "
                "it as an argument, and return it."
            )
    return None


def _generators(case):
    node = case.find(ast.GeneratorExp)
    if node is None:
        return None
    return 2, (
        f"{case.at(node)} Numba takes no generator expression: write the "
        "loop, with `+=` in place of `sum`."
    )


def _tries(case):
    node = case.find(ast.Try)
    if node is None:
        return None
    return 2, (
        f"{case.at(node)} `try` in a loop slows what Numba compiles, or is "
        "refused: test with `if` before."
    )


def _with(case):
    node = case.find(ast.With)
    if node is None:
        return None
    return (
        2,
        f"{case.at(node)} `with` is not for Numba: put it around the call.",
    )


def _recursion(case):
    node = case.call(case.tree.name)
    if node is None:
        return None
    return 2, (
        f"{case.at(node)} `{case.tree.name}` calls itself: write a loop, "
        "which needs no stack."
    )


def _closures(case):
    node = case.find(ast.Nonlocal)
    if node is not None:
        return 1, (
            f"{case.at(node)} `{node.names[0]}` is changed from an inner "
            "function: give it as an argument, and return it."
        )
    node = case.find(ast.FunctionDef)
    if node is not None:
        return 2, (
            f"{case.at(node)} `{node.name}` is made anew in each call: move "
            "it outside, and give it what it uses."
        )
    node = case.find(ast.Lambda)
    if node is not None:
        return 3, (
            f"{case.at(node)} `lambda` costs a call each time: write its "
            "expression into the loop."
        )
    return None


def _partial(case):
    node = case.call("partial", "functools.partial")
    if node is None:
        return None
    return 1, (
        f"{case.at(node)} Numba takes no `functools.partial`: give all "
        "arguments in the call."
    )


def _membership(case):
    """Find `x in a_list` in a loop: each one looks through the list."""
    for loop in ast.walk(case.tree):
        if not isinstance(loop, (ast.For, ast.While, ast.comprehension)):
            continue
        for node in ast.walk(loop):
            if not isinstance(node, ast.Compare) or len(node.ops) != 1:
                continue
            name = getattr(node.comparators[0], "id", "")
            asks = isinstance(node.ops[0], (ast.In, ast.NotIn))
            if asks and isinstance(case.inputs.get(name), list):
                return 1, (
                    f"{case.at(node)} `in {name}` looks through the whole "
                    f"list each time: make `set({name})` once, and ask that."
                )
    return None


def _random(case):
    for node in ast.walk(case.tree):
        if isinstance(node, ast.Call):
            name = trees.dotted(node.func)
            one = name.startswith("random.") and name.count(".") == 1
            if one and name not in ("random.shuffle", "random.sample"):
                return 2, (
                    f"{case.at(node)} `{name}` gives one number a call: draw "
                    "all at once with `np.random.default_rng()`."
                )
    return None


def _tests_types(case):
    node = case.call("isinstance", "type")
    if node is None:
        return None
    return 2, (
        f"{case.at(node)} `{trees.dotted(node.func)}` asks for a type in the "
        "loop: write a function for each type."
    )


def _formats(case):
    node = case.find(ast.JoinedStr)
    if node is None:
        return None
    return 1.5, (
        f"{case.at(node)} Text that is put together stays in Python: compute "
        "the numbers first, and format them after."
    )


def _deletes(case):
    node = case.find(ast.Delete)
    if node is None:
        return None
    return (
        2,
        f"{case.at(node)} `del` moves all that follows: copy what stays.",
    )


def _sets(case):
    node = case.find(ast.Set, ast.SetComp) or case.call("set", "frozenset")
    if node is None:
        return None
    return 2, (
        f"{case.at(node)} A set is as fast in Python: leave it, or use "
        "`np.unique` on arrays."
    )


CODE_RULES = (
    *TIME_RULES, _method, _keywords, _classes, _globals, _partial, _formats,
    _tries, _closures, _recursion, _generators, _membership, _random,
    _tests_types, _with,
    _deletes, _sets,
)  # fmt: skip
