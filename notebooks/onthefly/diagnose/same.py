"""Are two results the same, but for rounding?"""

import collections.abc
import contextlib
import math
import pickle

import numpy as np

SAME, CLOSE = "the same", "close"  # but for rounding
RANDOM = "it gets another result at each call: not comparable"
ROUNDING = 1e-9  # relative: sums in another order, and no other result
SINGLE = 5e-6  # the same, where numbers have single precision


def difference(result, expected, noise=0.0):
    """Return SAME, CLOSE, or how a result differs, in words.

    noise  what rounding may change of a number, besides ROUNDING of itself:
           a sum near zero is known to the rounding of its terms

    Dictionaries, sequences and tuples are compared part by part, whatever
    their types: a typed list of Numba's equals a list, an array a list of
    lists.
    """
    if _equal(result, expected):
        return SAME
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        return _of_parts(result, expected, noise)
    return _other(result, expected)


def _equal(a, b):
    # A type of the user's may raise anything here.
    with contextlib.suppress(Exception):
        if type(a) is type(b) and (a == b) is True:
            return True
    with contextlib.suppress(Exception):
        return pickle.dumps(a) == pickle.dumps(b)
    return False


def _of_parts(a, b, noise):
    mappings = collections.abc.Mapping
    if isinstance(a, mappings) and isinstance(b, mappings):
        if len(a) != len(b) or not all(key in a for key in b):
            return _other(a, b)
        return _worst(difference(a[k], b[k], noise) for k in b)
    numbers, expected = _numbers(a), _numbers(b)
    if numbers is not None and expected is not None:
        least = SINGLE if _is_single(a) or _is_single(b) else ROUNDING
        same = _of_numbers(numbers, expected, noise, least)
        return same or _other(a, b)
    if _is_sequence(a) and _is_sequence(b) and len(a) == len(b):
        pairs = zip(a, b, strict=True)
        return _worst(difference(*pair, noise) for pair in pairs)
    return _other(a, b)


def _worst(answers):
    worst = SAME
    for answer in answers:
        if answer not in (SAME, CLOSE):
            return answer
        worst = answer if answer == CLOSE else worst
    return worst


def _is_sequence(value):
    """Tell whether a value is a list, tuple or array, or like one."""
    text = isinstance(value, (str, bytes))
    return not text and hasattr(value, "__len__") and hasattr(
        value, "__getitem__"
    )  # fmt: skip


def _numbers(value):
    """Return an array of a value's numbers, None where it has other parts."""
    if isinstance(value, (str, bytes, dict)):
        return None
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        array = np.asarray(value)
        if array.dtype.kind in "biuf":
            return array.astype(float) if array.dtype.kind == "f" else array
        if array.dtype.kind == "c":
            return array
    return None


def _is_single(value):
    """Tell whether a value's numbers have single precision."""
    dtype = getattr(value, "dtype", None)
    if dtype is None and isinstance(value, (list, tuple)) and len(value):
        dtype = getattr(value[0], "dtype", None)
    return dtype in (np.float32, np.complex64)


def _of_numbers(a, b, noise, least):
    """Return SAME or CLOSE of two arrays, or "" where they differ."""
    if a.shape != b.shape:
        return ""
    if np.array_equal(a, b) or _same_with_nan(a, b):
        return SAME
    if a.dtype.kind in "biu" and b.dtype.kind in "biu":
        return ""
    close = np.isclose(a, b, least, noise, equal_nan=True)
    return CLOSE if close.all() else ""


def _same_with_nan(a, b):
    if "f" not in a.dtype.kind + b.dtype.kind:
        return False
    return np.array_equal(a, b, equal_nan=True)


def _other(result, expected):
    if isinstance(expected, int) and abs(expected) >= 2**63:
        return "an integer of more than 64 bits wraps"
    place = _first_place(result, expected)
    if place is not None:
        result, expected = result[place], expected[place]
    where = "" if place is None else f" at [{place}]"
    return f"{_cut(result)} in place of {_cut(expected)}{where}"


def _first_place(a, b):
    """Return where two long sequences of one length differ first, or None."""
    both = _is_sequence(a) and _is_sequence(b) and not isinstance(b, dict)
    if not both or len(a) != len(b) or len(b) < 4:
        return None
    pairs = enumerate(zip(a, b, strict=True))
    return next((k for k, (x, y) in pairs if not _equal(x, y)), None)


def _cut(value, most=40):
    text = " ".join(repr(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def incomparable(first, again):
    """Return why two results of one call are no measure, or ""."""
    if first is None and again is None:
        return "it returns nothing: not comparable"
    if difference(again, first) not in (SAME, CLOSE):
        return RANDOM
    return ""


def noise_of(function, inputs, expected):
    """Return what rounding may change of a function's result.

    inputs    its arguments; they stay as they are
    expected  its result

    The function is called with arguments that differ in the last bit.  What
    that changes is what so many independent errors come to; in another
    order, all of them may go one way, which is √n times as much.  Where no
    argument is a floating point number, it is the rounding of so many terms
    of size 1.
    """
    sizes = [np.size(v) for v in inputs if _numbers(v) is not None]
    whole = [abs(v) for v in inputs if isinstance(v, int)]
    terms = max([1, *sizes, *whole])
    if not any(map(_floats, inputs)):
        return 8 * terms * np.finfo(float).eps
    return (
        8
        * math.sqrt(terms)
        * max(
            _largest_change(function(*map(_shaken, inputs, seeds)), expected)
            for seeds in ([k] * len(inputs) for k in range(3))
        )
    )


def _floats(value):
    numbers = _numbers(value)
    return numbers is not None and numbers.dtype.kind == "f"


def _shaken(value, seed):
    """Return a copy of a value, its numbers changed in the last bit."""
    if not _floats(value):
        return value
    numbers = _numbers(value)
    shake = np.random.default_rng(seed).choice([-1.0, 1.0], numbers.shape)
    last = np.finfo(np.float32 if _is_single(value) else float).eps
    shaken = numbers * (1 + shake * last)
    if isinstance(value, np.ndarray):
        return shaken.astype(value.dtype)
    return shaken.tolist() if numbers.ndim else float(shaken)


def _largest_change(result, expected):
    """Return the largest difference of two results' numbers."""
    if isinstance(expected, collections.abc.Mapping):
        pairs = [(result.get(k), v) for k, v in expected.items()]
        return max((_largest_change(*pair) for pair in pairs), default=0.0)
    a, b = _numbers(result), _numbers(expected)
    if a is not None and b is not None and a.shape == b.shape and a.size:
        change = float(np.max(np.abs(np.subtract(a, b, dtype=float))))
        return change if math.isfinite(change) else 0.0
    if _is_sequence(expected) and _is_sequence(result):
        pairs = zip(result, expected, strict=False)
        return max((_largest_change(*pair) for pair in pairs), default=0.0)
    return 0.0
