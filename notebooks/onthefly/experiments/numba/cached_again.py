"""What makes Numba compile again a function that it keeps on disk."""

import os
import pathlib
import tempfile

import numpy

from onthefly.experiments.numba import cached_again_child
from onthefly.tools.processes import Program

LOOP = """\
import numba

from weights import weight

FACTOR = 2


@numba.njit(cache=True)
def total(n):
    found = 0
    for k in range(n):
        found += FACTOR * weight(k)
    return found
"""
WEIGHTS = """\
import numba


@numba.njit(cache=True)
def weight(k):
    return 3 * k
"""
ARGUMENT = 10
OTHER_TYPE = "the type of the argument"
CHANGES = {
    "nothing": lambda folder: None,
    OTHER_TYPE: lambda folder: None,
    "the file is saved again": lambda folder: _save(folder, "loop.py", LOOP),
    "a constant in the file": lambda folder: _save(
        folder, "loop.py", LOOP.replace("FACTOR = 2", "FACTOR = 5")
    ),
    "a function that it calls, in another file": lambda folder: _save(
        folder, "weights.py", WEIGHTS.replace("3 * k", "7 * k")
    ),
}
RIGHT = {  # sum of the numbers to 9, times what the files say
    "nothing": 270,
    OTHER_TYPE: 270,
    "the file is saved again": 270,
    "a constant in the file": 675,
    "a function that it calls, in another file": 630,
}


def again():
    """Return [{what changes, compiled again, right}], for a look.

    Each change is made to files as they were at first, after a process has
    filled the cache from them, and is seen by a new process.
    """
    rows = []
    with Program(cached_again_child.__name__) as program:
        program.ask("warm")
        for what, change in CHANGES.items():
            with tempfile.TemporaryDirectory(prefix="cached") as folder:
                _save(folder, "weights.py", WEIGHTS)
                _save(folder, "loop.py", LOOP)
                _called(program, folder, ARGUMENT)
                change(folder)
                kind = numpy.int32 if what == OTHER_TYPE else int
                compiled, value = _called(program, folder, kind(ARGUMENT))
            rows.append(
                {
                    "what changes": what,
                    "compiled again": compiled,
                    "right": value == RIGHT[what],
                }
            )
    return rows


def _save(folder, name, text):
    path = pathlib.Path(folder, name)
    path.write_text(text)
    # By a second at least, as whoever edits a file does.
    later = path.stat().st_mtime + 2
    os.utime(path, (later, later))


def _called(program, folder, argument):
    with program.fork() as process:
        return process.ask("called", folder, argument)
