"""The C twins of pi_limit.py, built for this processor from pi_limit.c."""

import ctypes
import functools
import pathlib
import shutil
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).with_name("pi_limit.c")
FLAGS = ("-O3", "-march=native", "-fopenmp")


def compiler():
    """Return the C compiler's path, or None where there is none."""
    return shutil.which("cc") or shutil.which("gcc")


def command(*options):
    """Return the compiler's command for the source, less its output."""
    return [compiler(), *FLAGS, *options, str(SOURCE)]


def version():
    """Return the compiler's first line about itself."""
    text = subprocess.run(
        [compiler(), "--version"], check=True, capture_output=True, text=True
    ).stdout
    return text.splitlines()[0]


def assembly():
    """Return the assembly that the compiler makes of the source."""
    return subprocess.run(
        command("-S", "-o", "-"), check=True, capture_output=True, text=True
    ).stdout


@functools.cache
def library():
    """Build and load the twins; calls through it run without the GIL.

    Raises CalledProcessError if the compiler refuses the source.
    """
    with tempfile.TemporaryDirectory(prefix="pi_limit") as folder:
        path = str(pathlib.Path(folder) / "pi_limit.so")
        subprocess.run(
            command("-shared", "-fPIC", "-o", path),
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        found = ctypes.CDLL(path)
    for name in ("hits_int", "hits_int_simd", "hits_lanes_simd"):
        function = getattr(found, name)
        function.argtypes = [ctypes.c_uint32, ctypes.c_uint32]
        function.restype = ctypes.c_uint32
    found.hits_openmp.argtypes = [
        ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int,
    ]  # fmt: skip
    found.hits_openmp.restype = ctypes.c_uint64
    return found
