"""How each tool builds the loop of `programs.bindings`, and how long for.

A function without arguments builds it and returns (seconds, decay).  It
raises libraries.Missing for what this machine lacks.
"""

import contextlib
import sysconfig
import tempfile
import time
from pathlib import Path

from onthefly.folders import PACKAGE
from onthefly.kernels import ahead, ahead_child
from onthefly.measure import libraries
from onthefly.tools import cpp, extensions
from onthefly.tools.processes import Program

SOURCES = PACKAGE / "programs" / "bindings"


def by_numba():
    """Compile it with the first call."""
    import numpy as np

    from onthefly.programs.bindings.bindings_numba import decay

    return _timed(lambda: decay(np.zeros(1), np.zeros(1))), decay


def by_ctypes():
    """Build it with the C compiler."""
    from onthefly.programs.bindings import bindings_ctypes

    start = time.perf_counter()
    decay = bindings_ctypes.build()
    return time.perf_counter() - start, decay


def by_cython():
    """Build it with Cython, in a process of its own."""
    if lack := ahead.missing("cython"):
        raise cpp.lacking(lack)
    source = SOURCES / "bindings_cython.pyx"
    with (
        tempfile.TemporaryDirectory(prefix="bindings") as folder,
        Program(ahead_child.__name__) as program,
    ):
        seconds, path = program.ask("build", "cython", str(source), folder)
        return seconds, _loaded(source.stem, path)


def by_pybind11():
    """Build it with the C++ compiler and pybind11's headers."""
    if not libraries.LIBRARIES["pybind11"].here():
        raise libraries.Missing("pybind11")
    if lack := extensions.missing() or cpp.missing():
        raise cpp.lacking(lack)
    import pybind11

    source = SOURCES / "bindings_pybind11.cpp"
    flags = [*cpp.NATIVE, "-std=c++17", f"-I{pybind11.get_include()}"]
    flags.append(f"-I{sysconfig.get_path('include')}")
    with tempfile.TemporaryDirectory(prefix="bindings") as folder:
        library = Path(folder, f"{source.stem}.so")
        seconds = _timed(lambda: cpp.build(source, library, flags))
        return seconds, _loaded(source.stem, library)


BUILDS = {
    "Numba": by_numba,
    "C, ctypes": by_ctypes,
    "Cython": by_cython,
    "pybind11": by_pybind11,
}


def _timed(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _loaded(name, library):
    return ahead_child.loaded(name, str(library)).decay


def all_built():
    """Return {tool: (seconds, decay)} of the tools that are here."""
    built = {}
    for name, build in BUILDS.items():
        with libraries.spared({}, name), contextlib.suppress(OSError):
            built[name] = build()
    return built
