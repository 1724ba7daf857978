"""A function in a file, kept in Numba's cache: compiled again, or loaded?"""

import importlib
import sys

import numba

# A file that is written twice within a second keeps the time of Python's own
# .pyc, which would then be taken for the new one.
sys.dont_write_bytecode = True


def warm():
    """Start the compiler, which is not the question."""
    numba.njit(lambda: 1)()


def called(folder, argument):
    """Call total(argument) of loop.py; return [compiled, what it returns]."""
    sys.path.insert(0, folder)
    total = importlib.import_module("loop").total
    value = total(argument)
    return [not sum(total.stats.cache_hits.values()), int(value)]
