"""The Python interpreters of this machine, found and asked what they are."""

import contextlib
import functools
import os
import pathlib
import re
import sys

from onthefly.tools import interpreter_child, processes

LIMIT = 10  # seconds that an interpreter may take to say what it is
NAME = re.compile(r"python3\.\d+t?$")


def _candidates():
    """Return paths that may be Python interpreters, most direct first."""
    listed = os.environ.get("ONTHEFLY_PYTHONS", "")
    paths = [pathlib.Path(p) for p in listed.split(os.pathsep) if p]
    folders = [pathlib.Path(p) for p in os.get_exec_path()]
    folders = [p for p in folders if p.name != "shims"]  # pyenv's, and slow
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", "~/.pyenv"))
    folders += sorted(pyenv.expanduser().glob("versions/*/bin"))
    folders += sorted(pathlib.Path("/opt").glob("python*/bin"))
    for folder in folders:
        with contextlib.suppress(OSError):
            paths += sorted(p for p in folder.iterdir() if NAME.match(p.name))
    return paths


@functools.cache
def find():
    """Return the CPython interpreters of this machine, oldest first.

    Each is a dict: path, version, minor, implementation, free_threaded,
    gil, pgo.
    Looks at ONTHEFLY_PYTHONS (paths), PATH, pyenv and /opt/python*, runs
    each once, and keeps one of a version and kind.
    """
    interpreters = {}
    module = interpreter_child.__name__
    for path in dict.fromkeys([pathlib.Path(sys.executable), *_candidates()]):
        # What does not start, or is too old for the protocol, is none.
        with contextlib.suppress(OSError, processes.ProcessError):
            facts = processes.answer(
                module, "facts", python=path, limit=LIMIT
            )
            key = (facts["version"], facts["free_threaded"])
            if facts["implementation"] == "cpython":
                interpreters.setdefault(key, {"path": str(path), **facts})

    def age(facts):
        numbers = [int(p) for p in facts["version"].split(".")]
        return numbers, facts["free_threaded"]

    return sorted(interpreters.values(), key=age)


def newest(interpreters, since):
    """Return the newest interpreter of each kind, oldest first.

    interpreters  as `find` returns them
    since  the minor version that tells old from new

    A kind is old or new, with or without a GIL.
    """
    kinds = {
        (i["minor"] >= since, i["free_threaded"]): i for i in interpreters
    }
    return list(kinds.values())
