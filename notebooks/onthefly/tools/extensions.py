"""Extensions of Python in C: what building one takes."""

import importlib.util
import pathlib
import sysconfig

from onthefly.tools import cpp


def missing():
    """Return what building one lacks on this machine, or an empty text."""
    if lack := cpp.missing("C"):
        return lack
    header = pathlib.Path(sysconfig.get_path("include")) / "Python.h"
    if not header.exists():
        return "no Python.h"
    spec = importlib.util.find_spec("setuptools")
    return "" if spec else "no setuptools"
