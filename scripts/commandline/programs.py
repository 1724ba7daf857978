"""Modules of scripts/ as programs in processes of their own."""

import os

from commandline import ROOT
from onthefly.provenance import NOTEBOOKS
from onthefly.tools.processes import Program


def program(module, *, folders=(), environment=None, log=None):
    """Return a Program of a module that lies beside the commands.

    folders  where it imports from first, before what PYTHONPATH names, the
             lab and the commands; the current folder is none by itself

    Other arguments as of `Program`.
    """
    own = os.environ.get("PYTHONPATH", "")
    paths = [*folders, own, NOTEBOOKS, ROOT / "scripts"]
    found = {
        "PYTHONPATH": os.pathsep.join(filter(None, map(str, paths))),
        "PYTHONSAFEPATH": "1",
    }
    return Program(module, environment=found | (environment or {}), log=log)
