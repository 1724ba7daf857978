"""The C twins of pi_limit.py, built for this processor from pi_limit.c."""

import ctypes
import functools
import pathlib

from onthefly.tools import cpp

SOURCE = pathlib.Path(__file__).with_name("pi_limit.c")
FLAGS = ("-O3", "-march=native", "-fopenmp")


def missing():
    """Say in a few words that there is no C compiler, or return ""."""
    return cpp.missing("C")


def version():
    """Return the compiler's first line about itself."""
    return cpp.version("C")


def assembly():
    """Return the assembly that the compiler makes of the source."""
    return cpp.assembly(SOURCE, FLAGS)


@functools.cache
def library():
    """Build and load the twins; calls through it run without the GIL.

    Raises CalledProcessError if the compiler refuses the source.
    """
    with cpp.built(SOURCE, FLAGS) as path:
        loaded = ctypes.CDLL(path)
    for name in ("hits_int", "hits_int_simd", "hits_lanes_simd"):
        function = getattr(loaded, name)
        function.argtypes = [ctypes.c_uint32, ctypes.c_uint32]
        function.restype = ctypes.c_uint32
    loaded.hits_openmp.argtypes = [
        ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int,
    ]  # fmt: skip
    loaded.hits_openmp.restype = ctypes.c_uint64
    return loaded
