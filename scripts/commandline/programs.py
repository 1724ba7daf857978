"""Modules of scripts/ as programs in processes of their own."""

import os

from commandline import ROOT
from onthefly.provenance import NOTEBOOKS
from onthefly.tools.processes import Program


def program(module, *, environment=None, log=None):
    """Return a Program of a module that lies beside the commands.

    Arguments as of `Program`.  What PYTHONPATH names comes before the lab
    and the commands.
    """
    own = os.environ.get("PYTHONPATH", "")
    paths = [own, str(NOTEBOOKS), str(ROOT / "scripts")]
    found = {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    return Program(module, environment=found | (environment or {}), log=log)
