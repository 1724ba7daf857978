"""How each tool builds the loop of `programs.bindings`.

A function without arguments returns (decay, seconds of the build); another
call returns the same.  It raises libraries.Missing for what this machine
lacks.
"""

import sysconfig
import time
from functools import cache, partial
from pathlib import Path

import numpy as np

from onthefly.folders import PACKAGE
from onthefly.kernels import ahead_child
from onthefly.measure import libraries
from onthefly.programs import building, compiled, rust
from onthefly.tools import cpp, extensions

SOURCES = PACKAGE / "programs" / "bindings"


@cache
def by_numba():
    """Compile it with the first call."""
    from onthefly.programs.bindings.bindings_numba import decay

    start = time.perf_counter()
    decay(np.zeros(1), np.zeros(1))
    return decay, time.perf_counter() - start


@cache
def by_ctypes():
    """Build it with the C compiler."""
    from onthefly.programs.bindings import bindings_ctypes

    start = time.perf_counter()
    decay = bindings_ctypes.build()
    return decay, time.perf_counter() - start


@cache
def by_cython():
    """Build it with Cython, in a process of its own."""
    path, seconds = compiled.extension(
        "cython", "bindings/bindings_cython.pyx"
    )
    return ahead_child.loaded("bindings_cython", path).decay, seconds


@cache
def by_pybind11():
    """Build it with the C++ compiler and pybind11's headers."""
    if not libraries.LIBRARIES["pybind11"].here():
        raise libraries.Missing("pybind11")
    if lack := extensions.missing() or cpp.missing():
        raise cpp.lacking(lack)
    import pybind11

    source = SOURCES / "bindings_pybind11.cpp"
    include = pybind11.get_include(), sysconfig.get_path("include")
    flags = [*cpp.NATIVE, "-std=c++17", *(f"-I{path}" for path in include)]

    def build(folder):
        library = Path(folder, f"{source.stem}.so")
        start = time.perf_counter()
        cpp.build(source, library, flags)
        return time.perf_counter() - start, library

    parts = source.read_text(), libraries.version("pybind11"), *cpp.NATIVE
    path, seconds = building.kept("pybind11", source.stem, parts, build)
    return ahead_child.loaded(source.stem, str(path)).decay, seconds


@cache
def by_pyo3():
    """Build it with Rust's cargo and the crate pyo3."""
    path, seconds = rust.extension("bindings_rust", "bindings/crate")
    return ahead_child.loaded("bindings_rust", str(path)).decay, seconds


BUILDS = {
    "Numba": by_numba,
    "Cython": by_cython,
    "pybind11": by_pybind11,
    "PyO3": by_pyo3,
    "ctypes": by_ctypes,
}


def calls(sizes):
    """Return {tool: function of a size that calls its loop}.

    One whose tool is missing raises libraries.Missing when it is called.
    """
    arrays = {n: np.linspace(0, 1, n) for n in sizes}
    results = {n: np.zeros(n) for n in sizes}
    made = {}

    def call(tool, n):
        if tool not in made:
            made[tool], _ = BUILDS[tool]()
        made[tool](arrays[n], results[n])

    return {tool: partial(call, tool) for tool in BUILDS}


def seconds():
    """Return {tool: seconds of its build} of the tools that are here."""
    taken = {}
    for tool, build in BUILDS.items():
        with libraries.spared({}, tool):
            taken[tool] = build()[1]
    return taken
