"""What NumPy does beyond arithmetic, each beside a loop in Python.

Each pair takes the same numbers, as an array and as a list, and returns the
same.  Source of the list: Okuda, PyCon JP 2018, slide 18.
"""

import bisect
import functools
import struct
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

_NUMBER = struct.Struct("=d")


def pairs(size, seed=0):
    """Return {name: (by NumPy, by a loop)}, functions without arguments.

    size  how many numbers, drawn from [0, 1)
    """
    v = np.random.default_rng(seed).random(size)
    keys = np.sort(v)
    file = Path(_folder().name) / f"{size}-{seed}.bin"
    w, sorted_w = v.tolist(), keys.tolist()
    return {
        "count_nonzero": (partial(np.count_nonzero, v), partial(nonzero, w)),
        "less": (partial(np.less, v, 0.5), partial(less, w)),
        "less_equal": (partial(np.less_equal, v, 0.5), partial(at_most, w)),
        "sort": (partial(np.sort, v), partial(sorted, w)),
        "lexsort": (partial(lexsort, v), partial(sort_by_two, w)),
        "where": (partial(where, v), partial(select, w)),
        "searchsorted": (
            partial(np.searchsorted, keys, v),
            partial(search, sorted_w, w),
        ),
        "I/O": (partial(through_file, v, file), partial(by_ones, w, file)),
    }


@functools.cache
def _folder():
    """Return this process's folder for files; it goes with the process."""
    return tempfile.TemporaryDirectory(prefix="onthefly")


def nonzero(numbers):
    """Count those that are not 0."""
    return sum(x != 0 for x in numbers)


def less(numbers):
    """Tell of each whether it is below one half."""
    return [x < 0.5 for x in numbers]


def at_most(numbers):
    """Tell of each whether it is at most one half."""
    return [x <= 0.5 for x in numbers]


def lexsort(array):
    """Return the order of the numbers, those from one half on first."""
    return np.lexsort((array, array < 0.5))


def sort_by_two(numbers):
    """Return what `lexsort` does."""
    places = range(len(numbers))
    return sorted(places, key=lambda i: (numbers[i] < 0.5, numbers[i]))


def where(array):
    """Return the numbers, with 0 in place of those from one half on."""
    return np.where(array < 0.5, array, 0.0)


def select(numbers):
    """Return what `where` does."""
    return [x if x < 0.5 else 0.0 for x in numbers]


def search(keys, numbers):
    """Return the place of each number among sorted keys."""
    return [bisect.bisect_left(keys, x) for x in numbers]


def through_file(array, path):
    """Write the numbers to a file, and return what is read from it."""
    array.tofile(path)
    return np.fromfile(path)


def by_ones(numbers, path):
    """Return what `through_file` does, number by number."""
    with open(path, "wb") as file:
        for x in numbers:
            file.write(_NUMBER.pack(x))
    return [x for (x,) in _NUMBER.iter_unpack(path.read_bytes())]
