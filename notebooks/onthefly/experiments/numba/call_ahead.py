"""What a call costs into what Cython, mypyc and Pythran compiled ahead."""

import math
import pathlib
import tempfile

from onthefly.experiments.numba.ahead_of_time import here
from onthefly.kernels import ahead_child
from onthefly.measure import clock
from onthefly.tools.processes import answer

__all__ = ["API", "here", "taken"]
API = "C API"  # math.sqrt, which is written in C

# One square root: {way: (its compiler, name of the source, text)}.
SOURCES = {
    "Cython": (
        "cython",
        "root_cython.pyx",
        """\
from libc.math cimport sqrt

def root(double x):
    return sqrt(x)
""",
    ),
    "mypyc": (
        "mypyc",
        "root_mypyc.py",
        """\
def root(x: float) -> float:
    return x**0.5
""",
    ),
    "Pythran": (
        "pythran",
        "root_pythran.py",
        """\
# pythran export root(float)
from math import sqrt

def root(x):
    return sqrt(x)
""",
    ),
}


def taken(budget, seed=0):
    """Return the Samples of a call of each, and of API; builds them first.

    budget  seconds for all rounds

    Raises processes.Failed where a compiler refuses, ValueError for a root
    that is none.
    """
    with tempfile.TemporaryDirectory(prefix="ahead") as folder:
        calls = {API: math.sqrt} | {
            way: _built(way, pathlib.Path(folder)) for way in SOURCES
        }
        for name, call in calls.items():
            if call(2.0) != math.sqrt(2.0):
                raise ValueError(f"{name}: another root of 2: {call(2.0)}")
        return clock.measure(calls, sizes=[2.0], budget=budget, seed=seed)


def _built(way, folder):
    compiler, name, text = SOURCES[way]
    source = folder / name
    source.write_text(text)
    place = folder / compiler
    place.mkdir()
    _, library = answer(
        ahead_child.__name__, "build", compiler, str(source), str(place)
    )
    return ahead_child.loaded(source.stem, library).root
