"""What a function's arguments should be."""

import ast

from onthefly.diagnose.patterns import trees
from onthefly.diagnose.patterns.conversions import conversion

LARGEST = 2**63
# Methods of texts that Numba has, if slowly.
TEXT_NAMES = (
    "split find rfind index count replace strip lstrip rstrip startswith "
    "endswith join partition rpartition splitlines format encode decode "
    "lower upper title zfill rjust ljust translate isnumeric"
)
TEXT_METHODS = set(TEXT_NAMES.split())


def of_inputs(case, error=""):
    """Return sentences on the arguments of a Case.

    Parameters
    ----------
    case   what `advice` looks at
    error  Numba's text, where it refused

    """
    lines = [line for rule in RULES for line in rule(case, error)]
    return list(dict.fromkeys(lines))


def _texts(case, _error):
    """Texts: how to count in them, or that they stay in Python."""
    texts = [name for name, value in case.inputs.items() if _is_text(value)]
    for name in texts:
        used = [n for n in ast.walk(case.tree) if trees.is_name(n, name)]
        if not used:
            continue
        method = _text_method(case)
        if isinstance(case.inputs[name], str) and method is None:
            yield from _bytes(case, name)
            continue
        runs = (
            f"and `{method}` of `str` runs" if method else "whose methods run"
        )
        yield (
            f"`{name}` holds text, {runs} in C already: leave this in Python."
        )
        yield (
            "Numba gains on numbers, and makes text slower: turn the text "
            "into numbers once, outside the function, if you use them again."
        )
        return


def _text_method(case):
    """Return the method of `str` that a function calls first, or None."""
    for node in ast.walk(case.tree):
        if isinstance(node, ast.Call) and isinstance(
            node.func, ast.Attribute
        ):
            method = node.func.attr
            if method in TEXT_METHODS:
                return method
    return None


def _bytes(case, name):
    source = ast.unparse(case.tree)
    found = conversion(tuple(case.inputs.values()), source)
    if found is not None and "bytes" in found.name:
        yield (
            f"`{name}` is read letter by letter: count with "
            f"`{name}.count(…)`, which runs in C."
        )
        yield (
            f"Numba is fast on `{name}` as bytes, "
            f"`np.frombuffer({name}.encode(), np.uint8)`, and slow on text."
        )


def _is_text(value):
    if isinstance(value, list | tuple) and value:
        value = value[0]
    return isinstance(value, str)


def _frames(case, _error):
    for name, value in case.inputs.items():
        kind = type(value)
        if not kind.__module__.startswith("pandas"):
            continue
        if kind.__name__ == "DataFrame":
            yield (
                f"`{name}` is a pandas DataFrame: give the columns that you "
                f"use, each as `{name}[column].to_numpy()`."
            )
        else:
            yield (
                f"`{name}` is a pandas {kind.__name__}: give "
                f"`{name}.to_numpy()`."
            )


def _objects(case, _error):
    for name, value in case.inputs.items():
        if getattr(getattr(value, "dtype", None), "kind", "") == "O":
            yield (
                f"`{name}` is an array of Python objects: give it a type of "
                f"numbers, as `{name}.astype(float)`."
            )


def _large_numbers(case, error):
    for name, value in case.inputs.items():
        if _is_too_large(value):
            yield (
                f"`{name}` holds integers beyond 64 bits: leave this in "
                "Python, whose integers have no limit."
            )
            return
    large = [
        node
        for node in ast.walk(case.tree)
        if isinstance(node, ast.Constant) and _is_too_large(node.value)
    ]
    words = "int too big", "Int value is too large", "overflow"
    if large or any(each in error for each in words):
        yield (
            "The integers grow beyond 64 bits: leave this in Python, whose "
            "integers have no limit."
        )


def _is_too_large(value):
    if isinstance(value, list | tuple):
        return any(map(_is_too_large, value))
    return type(value) is int and not -LARGEST <= value < LARGEST


def _mappings(case, _error):
    for name, value in case.inputs.items():
        if not isinstance(value, dict):
            continue
        if conversion((value,)) is not None:
            yield (
                f"`{name}` is a dict: fill a `numba.typed.Dict` in its "
                "place, outside the function."
            )
        elif value:
            yield (
                f"`{name}` is a dict of mixed or nested items: give arrays "
                "of what the function uses, or leave this in Python."
            )


def _sets(case, _error):
    for name, value in case.inputs.items():
        if isinstance(value, set | frozenset):
            yield (
                f"`{name}` is a set: look up in Python, or give a sorted "
                "array and use `np.isin`."
            )


def _lists(case, _error):
    for name, value in case.inputs.items():
        if not isinstance(value, list) or not value or _is_text(value):
            continue
        found = conversion((value,))
        if found is None:
            if not _is_too_large(value):
                yield from _mixed(case, name, value)
        elif found.name != "arrays":
            yield (
                f"`{name}` is a list of {type(value[0]).__name__}s: fill a "
                "`numba.typed.List` in its place, outside the function."
            )
        else:
            nested = isinstance(value[0], list)
            what = "list of lists" if nested else "list"
            yield (
                f"`{name}` is a {what}: give `np.array({name})`, made once "
                "outside the function."
            )


def _mixed(case, name, value):
    kinds = {type(each).__name__ for each in value}
    if len(kinds) > 1:
        listed = " and ".join(sorted(kinds)[:3])
        yield (
            f"`{name}` mixes {listed}: keep one type in a list, or an array "
            "for each."
        )
    elif isinstance(value[0], tuple | dict):
        yield (
            f"`{name}` is a list of records: give an array for each field."
        )
    elif fields := _fields(case, value[0]):
        listed = ", ".join(f"`{field}`" for field in fields)
        yield (
            f"`{name}` is a list of `{type(value[0]).__name__}` objects: "
            f"give an array for each of {listed}, as "
            f"`np.array([one.{fields[0]} for one in {name}])`."
        )


def _fields(case, item):
    """Return the attributes of an item that a function names, no methods."""
    if type(item).__module__ in ("builtins", "numpy"):
        return []
    named = [
        n.attr for n in ast.walk(case.tree) if isinstance(n, ast.Attribute)
    ]
    return sorted(
        name
        for name in set(named)
        if hasattr(item, name) and not callable(getattr(item, name))
    )


def _instances(case, _error):
    for name, value in case.inputs.items():
        kind = type(value)
        if not callable(value) and kind.__module__ in (
            "builtins",
            "numpy",
            "collections",
        ):
            continue
        if kind.__module__.startswith(("pandas", "numba", "array")):
            continue
        if callable(value):
            yield (
                f"`{name}` is a function: decorate it with `numba.njit` "
                "before you give it."
            )
        else:
            yield (
                f"`{name}` is a `{kind.__name__}`, a Python class: give the "
                "numbers and arrays that the function uses."
            )


RULES = (
    _texts, _frames, _objects, _large_numbers, _mappings, _sets, _lists,
    _instances,
)  # fmt: skip
