"""Arguments as Numba and NumPy take them: lists as arrays, dicts as typed.

`conversion` says what can be converted.  Converting takes time of its own,
so that it is a function that the caller runs, and times.
"""

import collections
import dataclasses
import functools
from collections.abc import Callable

from onthefly.diagnose.patterns.rewrites import (
    Rewrite,
    lists_copied,
    text_as_bytes,
    tuples_as_rows,
)
from onthefly.diagnose.patterns.trees import function, parameters, reads

FEW = 16  # items of a tuple; Numba compiles anew for each length

# What an argument becomes: its short name, and what to tell the author.
SENTENCES = {
    "arrays": "Give {names} as {an_array}: `np.array({first})`.",
    "numba.typed.List": "Fill a `numba.typed.List` in place of the list "
    "{names}, outside the function.",
    "numba.typed.Dict": "Fill a `numba.typed.Dict` in place of the dict "
    "{names}, outside the function.",
    "bytes": "Give {names} as bytes: `np.frombuffer({first}.encode(), "
    "np.uint8)`.",
}


@dataclasses.dataclass(frozen=True)
class Conversion:
    """What a function's arguments can be turned into.

    name      what they become: "arrays", "numba.typed.Dict", …, joined by
              " and " where they become several
    sentence  what the author should change
    convert   takes the arguments in a tuple, and returns the new ones
    rewrite   of the function's source, where it must change, too; or None
    """

    name: str
    sentence: str
    convert: Callable
    rewrite: Rewrite | None = None


def conversion(inputs, source=""):
    """Return how a function's arguments can be converted.

    Parameters
    ----------
    inputs  the arguments, in a tuple
    source  of the function; without it, texts stay as they are, and the
            sentence names arguments by their place

    Returns
    -------
    A Conversion, or None where no argument can be converted, or needs to

    """
    names = _names(source, len(inputs))
    ways = [_way(value) for value in inputs]
    taken, rewrite = _texts(source, names, inputs)
    for place in taken:
        ways[place] = ("bytes", _bytes)
    text = rewrite.source if rewrite else source
    for place in _tuples(ways, inputs) if source else ():
        width = len(inputs[place][0])
        found = tuples_as_rows(text, names[place], width)
        if found is not None:
            ways[place], rewrite, text = (
                ("arrays", _array),
                found,
                found.source,
            )
    if not any(ways):
        return None
    found = _copied(text, names, ways, inputs)
    if found is not None:
        said = [one.sentence for one in (rewrite, found) if one]
        rewrite = dataclasses.replace(found, sentence=" ".join(said))
    kinds = list(dict.fromkeys(way[0] for way in ways if way))
    lines = [_sentence(kind, names, ways) for kind in kinds]
    convert = functools.partial(_convert, ways)
    return Conversion(" and ".join(kinds), " ".join(lines), convert, rewrite)


def _copied(source, names, ways, inputs):
    """Return the Rewrite that copies arrays in place of lists, or None."""
    lists = {
        name
        for name, way, value in zip(names, ways, inputs, strict=False)
        if way and way[0] == "arrays" and isinstance(value, list)
    }
    try:
        return lists_copied(source, lists) if lists else None
    except ValueError:
        return None


def _tuples(ways, inputs):
    """Yield the places of lists of tuples whose numbers are of one type."""
    for place, (way, value) in enumerate(zip(ways, inputs, strict=True)):
        if way and way[0] == "numba.typed.List":
            first = value[0]
            if len({type(number) for number in first}) == 1:
                yield place


def _convert(ways, inputs):
    return tuple(
        value if way is None else way[1](value)
        for way, value in zip(ways, inputs, strict=True)
    )


def _names(source, count):
    names = []
    if source:
        try:
            names = parameters(function(source))
        except ValueError:
            names = []
    return [*names, *(f"argument {i + 1}" for i in range(len(names), count))]


def _sentence(kind, names, ways):
    whose = [
        n
        for n, way in zip(names, ways, strict=False)
        if way and way[0] == kind
    ]
    listed = " and ".join(f"`{name}`" for name in whose)
    an_array = "a NumPy array" if len(whose) == 1 else "NumPy arrays"
    line = SENTENCES[kind]
    return line.format(names=listed, first=whose[0], an_array=an_array)


def _texts(source, names, inputs):
    """Return the places of texts that can be bytes, and the new source."""
    try:
        used = reads(*function(source).body) if source else ()
    except ValueError:
        return [], None
    places = [
        place
        for place, value in enumerate(inputs)
        if isinstance(value, str) and value.isascii() and names[place] in used
    ]
    several = [[place] for place in places] if len(places) > 1 else []
    for some in [places, *several] if places else []:
        found = text_as_bytes(source, {names[place] for place in some})
        if found is not None:
            return some, found
    return [], None


def _bytes(text):
    import numpy

    return numpy.frombuffer(text.encode(), numpy.uint8)


def _way(value):
    """Return what a value becomes and the function for it, or None."""
    kind = type(value)
    if kind in (list, collections.deque) or _is_array_of_objects(value):
        return _way_of_items(list(value))
    if kind is tuple and len(value) > FEW:
        return _way_of_items(value)
    if kind.__name__ == "Series" and kind.__module__.startswith("pandas"):
        numeric = value.to_numpy().dtype.kind in "iufb"
        return ("arrays", lambda series: series.to_numpy()) * numeric or None
    if kind in (dict, collections.OrderedDict) and _is_plain_dict(value):
        return "numba.typed.Dict", _typed_dict
    return None


def _is_array_of_objects(value):
    dtype = getattr(value, "dtype", None)
    return getattr(dtype, "kind", "") == "O" and hasattr(value, "tolist")


def _way_of_items(items):
    import numpy

    if not len(items):
        return None
    if _are_numbers(items):
        return "arrays", _array
    kinds = set(map(type, items))
    if kinds == {list} and all(map(_are_numbers, items)):
        equal = len(set(map(len, items))) == 1
        return ("arrays", _array) if equal else _ragged()
    if kinds == {list}:  # lists of lists of lists
        deep = [_way_of_items(item) for item in items]
        same = all(way == ("arrays", _array) for way in deep)
        shapes = {numpy.shape(item) for item in items} if same else ()
        return ("arrays", _array) if len(shapes) == 1 else None
    if kinds == {numpy.ndarray} and all(
        i.dtype.kind in "iufb" for i in items
    ):
        shapes = {(item.shape, item.dtype) for item in items}
        if len(shapes) == 1:
            return "arrays", numpy.stack
        return _ragged() if {i.ndim for i in items} == {1} else None
    if kinds == {tuple} and _tuples_of_a_kind(items):
        return "numba.typed.List", _list_of_tuples
    return None


def _are_numbers(items):
    """Tell whether all are numbers that an array of numbers holds exactly."""
    import numpy

    kinds = set(map(type, items))
    numbers = int, float, complex, bool, numpy.number, numpy.bool_
    if not kinds or not all(issubclass(kind, numbers) for kind in kinds):
        return False
    whole = [kind for kind in kinds if kind is int]
    if not whole:
        return True
    ints = items if kinds == {int} else [i for i in items if type(i) is int]
    bound = 2**63 if kinds <= {int, bool} else 2**53
    return -bound <= min(ints) and max(ints) < bound


def _array(items):
    import numpy

    return numpy.array(list(items))


def _ragged():
    return "numba.typed.List", _list_of_arrays


def _list_of_arrays(items):
    import numba
    import numpy

    kinds = {numpy.array(item).dtype for item in items if len(item)}
    dtype = numpy.result_type(*kinds) if kinds else float
    new = numba.typed.List()
    for item in items:
        new.append(numpy.array(item, dtype))
    return new


def _tuples_of_a_kind(items):
    lengths = set(map(len, items))
    if len(lengths) != 1 or not 0 < lengths.pop() <= FEW:
        return False
    return all(map(_are_numbers, zip(*items, strict=True)))


def _list_of_tuples(items):
    """Return a typed List of tuples, made from one array a column.

    Appending from Python takes microseconds an item.
    """
    columns = tuple(_array(column) for column in zip(*items, strict=True))
    return _filler_of_list(len(columns))(columns)


@functools.cache
def _filler_of_list(count):
    import numba

    row = ", ".join(f"c[{k}][i]" for k in range(count))
    source = (
        "def fill(c):\n"
        f" new = List([({row},) for i in range(1)])\n"
        " for i in range(1, len(c[0])):\n"
        f"  new.append(({row},))\n"
        " return new"
    )
    names = {"List": numba.typed.List}
    exec(source, names)  # a tuple's length is fixed in what Numba compiles
    return numba.njit(names["fill"])


def _is_plain_dict(value):
    if not value or not _are_numbers(value.values()):
        return False
    kinds = set(map(type, value))
    return kinds in ({str}, {float}) or (
        kinds == {int} and _are_numbers(value)
    )


def _typed_dict(value):
    """Return a typed Dict, made from an array of keys and one of values.

    Setting items from Python takes microseconds an item.
    """
    import numpy

    values = _array(value.values())
    if not isinstance(next(iter(value)), str):
        return _filler_of_dict(False)(_array(value), values)
    ends = numpy.cumsum([len(key) for key in value])
    return _filler_of_dict(True)("".join(value), ends, values)


@functools.cache
def _filler_of_dict(of_texts):
    """Return a compiled function that fills a typed Dict.

    Texts come as one, with the places where they end: an array of texts has
    a type for each length, and Numba would compile for each.
    """
    import numba

    def fill(keys, values):
        new = numba.typed.Dict()
        for i in range(len(keys)):
            new[keys[i]] = values[i]
        return new

    def fill_texts(text, ends, values):
        new = numba.typed.Dict()
        begin = 0
        for i in range(len(ends)):
            new[text[begin : ends[i]]] = values[i]
            begin = ends[i]
        return new

    return numba.njit(fill_texts if of_texts else fill)
