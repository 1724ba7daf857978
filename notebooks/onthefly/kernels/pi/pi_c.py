"""π by a loop in C: builds the extension pi_c.c and calls it.  Source:
Okuda, PyCon JP 2018, slides 12 to 16."""

import functools
import importlib.util
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from onthefly.kernels import check_shots
from onthefly.tools import cpp
from onthefly.tools.extensions import missing

SOURCE = pathlib.Path(__file__).with_name("pi_c.c")

SETUP = """\
from setuptools import Extension, setup

pi_c = Extension("pi_c", ["pi_c.c"], extra_compile_args={flags},
                 define_macros={macros}, py_limited_api={limited})
setup(name="pi_c", version="1.0", ext_modules=[pi_c])
"""
TEST = """\
import unittest
import pi_c

class Test(unittest.TestCase):
    def test_hits(self):
        hits = pi_c.hits(10**6, 1)
        self.assertAlmostEqual(4 * hits / 10**6, 3.1416, delta=0.01)
"""
LIMITED = [("Py_LIMITED_API", "0x03060000")]  # the C API as of 3.6
stream = random.Random


def project(folder, *, flags=("-O2",), limited=False):
    """Write the source, setup script and test into `folder`; return it.

    flags    options of the compiler
    limited  whether to keep to the C API of Python 3.6
    """
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(SOURCE, folder)
    macros = LIMITED if limited else []
    text = SETUP.format(flags=list(flags), macros=macros, limited=limited)
    (folder / "setup.py").write_text(text)
    (folder / "test_pi_c.py").write_text(TEST)
    return folder


def run(folder, *arguments):
    """Run this Python in `folder`; raises CalledProcessError on failure."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder, check=True, capture_output=True, text=True,
    )  # fmt: skip


def build(folder, **options):
    """Build the extension in `folder`; return the path of the library.

    options  of `project`

    Raises libraries.Missing for what a build lacks on this machine,
    CalledProcessError where the compiler refuses the source.
    """
    if lack := missing():
        raise cpp.lacking(lack)
    folder = project(folder, **options)
    run(folder, "setup.py", "-q", "build_ext", "--inplace")
    return next(folder.glob("pi_c.*.so"))


def load(library):
    """Import the extension from the path of its library."""
    spec = importlib.util.spec_from_file_location("pi_c", library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.cache
def _extension():
    folder = tempfile.TemporaryDirectory(prefix="pi_c")
    with folder as name:
        return load(build(name))


def pi_c(shots, rng=None, generator="xoshiro"):
    """Return π estimated from `shots` points by the extension.

    Builds the extension at the first call.
    """
    shots = check_shots(shots)
    seed = (rng or random).getrandbits(64)
    return 4.0 * _extension().hits(shots, seed, generator) / shots
