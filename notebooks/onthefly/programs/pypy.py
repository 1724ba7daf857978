"""PyPy, where this machine has one: another interpreter, which compiles."""

import contextlib
import functools
import os
import pathlib

from onthefly.measure import libraries
from onthefly.tools import interpreter_child, processes


@functools.cache
def path():
    """Return the path of a PyPy, as text, or "".

    Looks at ONTHEFLY_PYTHONS, and for pypy3 in PATH.
    """
    listed = os.environ.get("ONTHEFLY_PYTHONS", "").split(os.pathsep)
    found = [p for p in map(pathlib.Path, listed) if "pypy" in p.name]
    found += [pathlib.Path(f) / "pypy3" for f in os.get_exec_path()]
    for each in filter(pathlib.Path.exists, found):
        # What does not start is none.
        with contextlib.suppress(OSError, processes.ProcessError):
            facts = processes.answer(
                interpreter_child.__name__, "facts", python=each, limit=10
            )
            if facts["implementation"] == "pypy":
                return str(each)
    return ""


def start(module):
    """Return a new Program of a module under PyPy.

    Raises libraries.Missing where there is no PyPy.
    """
    if not path():
        raise libraries.Missing("PyPy")
    return processes.Program(module, python=path())


@functools.cache
def program(module):
    """Return the same Program each time; it ends with this process."""
    return start(module)
