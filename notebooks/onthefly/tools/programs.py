"""Programs in processes of their own, which end with this one."""

import os
import subprocess

from onthefly.folders import PACKAGE
from onthefly.tools.processes import Program

DAY = 24 * 3600  # seconds


def program(module, *, folders=(), environment=None, log=None):
    """Return a Program of a module, in a process of its own.

    folders  where it imports from first, before what PYTHONPATH names, the
             package; the current folder is none by itself

    Other arguments as of `Program`.
    """
    own = os.environ.get("PYTHONPATH", "")
    paths = [*folders, own, PACKAGE.parent]
    variables = {
        "PYTHONPATH": os.pathsep.join(filter(None, map(str, paths))),
        "PYTHONSAFEPATH": "1",
        "PYTHONIOENCODING": "utf-8",  # what it prints goes to a file
    }
    variables |= environment or {}
    return Program(module, environment=variables, log=log, reap=True)


def run(command, *, limit=DAY, **options):
    """Run a program to its end, as `subprocess.run` does, which returns it.

    It ends with this process, however that ends, and so does what it has
    started.

    limit  seconds that it may take
    """
    own = {"env": dict(os.environ)} | options
    with Program(subprocess.__name__, reap=True) as program:
        return program.ask("run", [*map(str, command)], limit=limit, **own)
