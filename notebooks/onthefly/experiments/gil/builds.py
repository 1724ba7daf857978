"""What becomes of a build of the C extension: its steps, and who loads it."""

import functools
import pathlib
import shutil
import subprocess

from onthefly.experiments.gil import builds_standalone
from onthefly.kernels.pi import pi_c
from onthefly.tools import interpreters
from onthefly.tools.processes import ProcessError, answer

LIMIT = 60  # seconds that an interpreter may take to load a build
STEPS = {
    "compile": ["setup.py", "-q", "build_ext", "--inplace"],
    "unit test": ["-m", "unittest", "-q", "test_pi_c"],
    "pack as an egg": ["setup.py", "-q", "bdist_egg"],
    "pack as a wheel": ["setup.py", "-q", "bdist_wheel"],
}


class Extension:
    """The extension pi_c, which is built and loaded when it is first used.

    folder   where it is built, or was
    options  of `pi_c.project`

    It has the functions of the module.
    """

    def __init__(self, folder, **options):
        self._folder, self._options = pathlib.Path(folder), options

    @functools.cached_property
    def library(self):
        """The path of the build."""
        there = next(self._folder.glob("pi_c.*.so"), None)
        return there or pi_c.build(self._folder, **self._options)

    @functools.cached_property
    def _module(self):
        return pi_c.load(self.library)

    def __getattr__(self, name):
        """Return a function of the module, and keep it: a call is short."""
        function = getattr(self._module, name)
        setattr(self, name, function)
        return function


def works(folder, step):
    """Tell whether one of the STEPS works in `folder`, and if it warns."""
    try:
        text = pi_c.run(folder, *STEPS[step]).stderr.lower()
    except subprocess.CalledProcessError:
        return "fails"
    return "works, and warns" if "deprecat" in text else "works"


def loads(python, folder):
    """Tell whether an interpreter imports the build in `folder`."""
    module, folder = builds_standalone.__name__, str(folder)
    try:
        answer(module, "hits", folder, python=python, limit=LIMIT)
    except ProcessError:
        return False
    return True


def renamed(library, folder):
    """Copy a build to `folder` under a name without a version; return it.

    Each CPython tries this name, whichever it was built for.
    """
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return pathlib.Path(shutil.copy(library, folder / "pi_c.so"))


def who_loads(libraries):
    """Try builds in each interpreter of this machine; return a table's rows.

    libraries  {name: path of a build}, each in a folder of its own

    A dict for each interpreter: "CPython" and "build" say which, and for each
    name whether it "loads" and counts, or is "refused".
    """
    return [
        {
            "CPython": python["version"],
            "build": "free-threaded" if python["free_threaded"] else "GIL",
        }
        | {
            name: "loads" if loads(python["path"], path.parent) else "refused"
            for name, path in libraries.items()
        }
        for python in interpreters.find()
    ]
