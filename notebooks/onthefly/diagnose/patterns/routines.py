"""Routines of libraries that do what a function does by hand."""

import ast
import builtins
import collections
import dataclasses
import math
from collections.abc import Callable

from onthefly.diagnose.patterns import trees
from onthefly.diagnose.patterns.arrays import OnArrays
from onthefly.diagnose.patterns.others import (
    counted_by_counter,
    sorted_by_method,
)
from onthefly.diagnose.patterns.texts import with_counts


@dataclasses.dataclass(frozen=True)
class Routine:
    """A function that uses a library's routine, to be checked and timed.

    name      of the routine, as "np.convolve"
    function  takes what the user's function takes, or what `convert` makes
              of it
    sentence  what to write
    source    of the function
    convert   takes the arguments in a tuple and returns those that the
              routine works on: lists as arrays, dicts as sorted arrays
    """

    name: str
    function: Callable
    sentence: str
    source: str = ""
    convert: Callable = tuple


def routines(source, inputs, names=None):
    """Return the routines whose pattern is in a function.

    Parameters
    ----------
    source  of the function
    inputs  its arguments, in a tuple
    names   the function's globals, or None

    Returns
    -------
    A list of Routine.  None of them was run: whether the result is the same
    is for the caller to see

    """
    found = []
    for way in (_on_arrays, _by_cumsum, _in_texts, _sorted, _counted):
        try:
            function = trees.function(source)
        except ValueError:
            return []
        notes = way(function, inputs)
        if not notes or any(notes[0] == each.name for each in found):
            continue
        routine = _routine(function, notes, inputs, names)
        if routine is not None:
            found.append(routine)
    return found


def _on_arrays(function, inputs):
    on_arrays = OnArrays(function, inputs)
    return _ranked(on_arrays.notes) if on_arrays.rewrite() else None


def _by_cumsum(function, inputs):
    """Return the notes where windows can be summed in another way."""
    on_arrays = OnArrays(function, inputs, cumsum=True)
    if not on_arrays.rewrite() or "np.cumsum" not in on_arrays.notes:
        return None
    return _ranked(on_arrays.notes)


def _in_texts(function, inputs):
    names = trees.parameters(function)
    texts = {
        name
        for name, value in zip(names, inputs, strict=False)
        if isinstance(value, str)
    }
    return with_counts(function, texts)


def _sorted(function, inputs):
    name = sorted_by_method(function)
    return name and [f"{name}.sort()"]


def _counted(function, inputs):
    return counted_by_counter(function) and ["collections.Counter"]


def _ranked(notes):
    """Return the notes, those that say little behind the others."""
    plain = "np.arange", "np.where", "whole arrays"
    return sorted(notes, key=lambda name: name in plain)


def _routine(function, notes, inputs, names):
    import numpy

    code = trees.text(function)
    needs = {
        "np": numpy,
        "math": math,
        "sorted_table": sorted_table,
        "Counter": collections.Counter,
    }
    if "cdist" in code:
        try:
            from scipy.spatial.distance import cdist
        except ImportError:
            return None
        needs["cdist"] = cdist
    scope = {**(names or {}), **needs}
    if _missing(function, scope):
        return None
    exec(compile(code, f"<{notes[0]}>", "exec"), scope)
    return Routine(
        notes[0],
        scope[function.name],
        _sentence(notes),
        code,
        _converter(code),
    )


def _missing(function, scope):
    known = set(scope) | set(dir(builtins)) | trees.writes(function)
    own = {node.arg for node in ast.walk(function) if hasattr(node, "arg")}
    return trees.reads(function) - known - own


def _converter(code):
    """Return a function that prepares the arguments for a routine."""
    function = trees.function(code)
    names = trees.parameters(function)
    lists = [f"{name} = np.asarray({name})" in code for name in names]
    uses = [each.id for each in ast.walk(function) if trees.is_name(each)]
    tables = [
        uses.count(name) == code.count(f"sorted_table({name})") > 0
        for name in names
    ]

    def convert(inputs):
        import numpy

        new = []
        for place, value in enumerate(inputs):
            if place < len(names) and lists[place]:
                value = numpy.asarray(value)
            elif place < len(names) and tables[place]:
                value = sorted_table(value)
            new.append(value)
        return tuple(new)

    return convert


def sorted_table(table):
    """Return a dict's keys, sorted, and its values, as arrays.

    Parameters
    ----------
    table  a dict, or what this function returned

    """
    import numpy

    if isinstance(table, tuple):
        return table
    keys = numpy.array(list(table))
    order = numpy.argsort(keys)
    return keys[order], numpy.array(list(table.values()))[order]


SENTENCES = {
    "np.searchsorted": "Keep the dict's keys in a sorted array, and look "
    "them up with `np.searchsorted`, all at once.",
    "np.bincount": "Let `np.bincount` add up by key, on arrays.",
    "np.unique": "Let `np.unique(keys, return_inverse=True)` number the "
    "keys, and `np.bincount` add up.",
    "np.convolve": 'Use `np.convolve(x, weights, "valid")` on an array.',
    "np.cumsum": "Use `np.cumsum` on an array.",
    "np.lib.stride_tricks.sliding_window_view": "Use "
    "`np.lib.stride_tricks.sliding_window_view` on an array, and reduce "
    "along `axis=1`.",
    "scipy.spatial.distance.cdist": "Use `scipy.spatial.distance.cdist` on "
    "arrays.",
    "collections.Counter": "Let `collections.Counter` count.",
    "whole arrays": "Work on whole arrays in place of the loop.",
}


def _sentence(notes):
    first = notes[0]
    if first in SENTENCES:
        return SENTENCES[first]
    if first.endswith(".sort()"):
        return f"Use `{first}` in place of sorting by hand."
    if " @ " in first:
        return f"Use `{first}` on arrays."
    if "count(" in first or ".count," in first:
        return f"Use `{first}` in place of the loop."
    listed = " and ".join(f"`{name}`" for name in notes[:2])
    return f"Use {listed} on whole arrays in place of the loop."
