"""What Numba's refusals mean, and what to change."""

import ast
import inspect
import re

from onthefly.diagnose.patterns import trees
from onthefly.diagnose.patterns.advice_code import is_known


def of_error(case, error, patterns=None):
    """Return sentences on a text that Numba refuses a function with.

    Parameters
    ----------
    case      what `advice` looks at
    error     Numba's text
    patterns  PATTERNS, or VAGUE where nothing better is known

    """
    lines = []
    for pattern, sentence in patterns or PATTERNS:
        found = re.search(pattern, error)
        if not found:
            continue
        if callable(sentence):
            lines.append(sentence(case, found))
        else:
            lines.append(sentence.format(*found.groups()))
    # A name that only Numba's own source has helps nobody.
    return [line for line in dict.fromkeys(lines) if "`impl_" not in line]


def _global(case, found):
    name = found[1]
    value = case.names.get(name)
    node = next(
        (n for n in ast.walk(case.tree) if trees.is_name(n, name)), case.tree
    )
    at = case.at(node)
    if inspect.isclass(value) and is_known(value):
        return (
            f"{at} Numba does not know `{name}`: use arrays or lists in its "
            "place, or leave this function in Python."
        )
    if inspect.isclass(value) or (value is None and name[:1].isupper()):
        return (
            f"{at} `{name}` is a Python class: decorate it with "
            "`numba.experimental.jitclass`, or keep its values in local "
            "variables."
        )
    if inspect.ismodule(value):
        return (
            f"{at} Numba does not know the module `{name}`: leave it out of "
            "the loop."
        )
    if inspect.isfunction(value):
        return (
            f"{at} Numba must compile `{name}`, too: decorate it with "
            "`numba.njit`."
        )
    if value is None or callable(value):
        return f"{at} Numba does not know `{name}`: leave it out of the loop."
    kind = type(value).__name__
    return (
        f"{at} `{name}` is a global {kind}: give it as an argument, as an "
        "array where it can be one."
    )


def _type_of(case, found):
    kind = found[1].rpartition(".")[2]
    return (
        f"Numba does not know the type `{kind}`: give the numbers and arrays "
        "that the function uses."
    )


def _two_types(case, found):
    name, kinds = found[2].partition(".")[0], found[1]
    if name.startswith("$"):
        return "The result has two types: return the same type each time."
    if re.fullmatch(r"(int64|float64|Literal\[int\]\(.*?\)| and )+", kinds):
        return (
            f"`{name}` is a whole number at first and a float later: begin "
            f"with `{name} = 0.0`."
        )
    return f"`{name}` has two types: give it one type throughout."


PATTERNS = (
    (r"Untyped global name '(\w+)'", _global),
    (
        r"[Uu]nsupported NumPy function '?numpy\.([\w.]+)",
        "Numba does not know `np.{0}`: call it outside of the loop that you "
        "compile, or write a loop.",
    ),
    (
        r"Unknown attribute '(\w+)' of type Module\(<module 'numpy",
        "Numba does not know `np.{0}`: call it outside of the loop that you "
        "compile, or write a loop.",
    ),
    (
        r"Unknown attribute '(\w+)' of type array",
        "Numba does not know an array's `{0}`: use the function of NumPy, or "
        "a loop.",
    ),
    (
        r"Unknown attribute '(\w+)' of type unicode_type",
        "Numba does not know a text's `{0}`: leave this in Python.",
    ),
    (r"Cannot unify (.*) for '([\w.$]+)'", _two_types),
    (
        r"variable '(\w+)' (?:is )?referenced before assignment",
        "`{0}` may not be set: set it before the loop.",
    ),
)

# Said where nothing better is known.
VAGUE = (
    (
        r"cannot reflect element of reflected container",
        "Lists in lists are not for Numba: give a NumPy array.",
    ),
    (r"Cannot determine Numba type of <class '([\w.]+)'>", _type_of),
    (
        r"Function\(<(?:built-in )?function (\w+)>?",
        "Numba does not take `{0}` of these arguments: give arrays of "
        "numbers, or write a loop.",
    ),
)
