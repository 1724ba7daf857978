"""Builds of CPython that differ in the lock alone, and others beside them.

A build with the GIL and one without are compared where the rest is the same:
the version, and whether a profile guided their compiler.
"""

import contextlib
import functools

from onthefly import folders
from onthefly.tools import interpreter_child, interpreters
from onthefly.tools.interpreters import LIMIT
from onthefly.tools.processes import ProcessError, Program, answer

LOCK, FREE = "GIL", "no GIL"
THEN = "2018"  # a Python of the talk's time


def guided_folder():
    """Return the folder of the CPythons whose compiler a profile guided.

    They lie apart: what compares versions takes those that were built alike.
    """
    return folders.build_dir() / "guided"


def _guided():
    """Return the interpreters of `guided_folder`, as `interpreters.find`."""
    found, module = [], interpreter_child.__name__
    for path in guided_folder().glob("*/bin/python3.*[0-9t]"):
        # A build that was interrupted does not start.
        with contextlib.suppress(OSError, ProcessError):
            facts = answer(module, "facts", python=path, limit=LIMIT)
            found.append({"path": str(path), **facts})
    return sorted(found, key=_age)


def _age(one):
    return [int(number) for number in one["version"].split(".")]


@functools.cache
def twins():
    """Return {LOCK: interpreter, FREE: interpreter}; {} where none has one.

    The newest pair of this machine, each as `interpreters.find` tells of it;
    one that a profile guided before any other.
    """
    every = [*interpreters.find(), *_guided()]
    for free in reversed([one for one in every if one["free_threaded"]]):
        for one in reversed(every):
            if not one["free_threaded"] and _alike(one, free):
                return {LOCK: one, FREE: free}
    return {}


def _alike(one, other):
    return all(one[k] == other[k] for k in ("version", "pgo"))


@functools.cache
def with_then():
    """Return the twins, and before them THEN where a Python 3.6 or 3.7 is."""
    oldest = interpreters.find()[0]
    then = {THEN: oldest} if oldest["minor"] <= 7 else {}
    return then | twins()


def told():
    """Return {name: what it is} of `with_then`, for a look: no paths."""
    return {
        name: {k: v for k, v in one.items() if k != "path"}
        for name, one in with_then().items()
    }


def ask(name, function, *arguments):
    """Return what a function of a stand-alone module returns in a build.

    name      one of `with_then`
    function  of a module that runs under any Python
    """
    return _program(name, function.__module__).ask(
        function.__name__, *arguments
    )


@functools.cache
def _program(name, module):
    """Return the Program of a module; it ends with this process."""
    return Program(module, python=with_then()[name]["path"])
