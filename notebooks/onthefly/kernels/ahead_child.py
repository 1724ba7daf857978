"""Compilers of Python, in a process of their own.

Each function gives setuptools the extension of a source, as a project's
setup.py does.
"""

import importlib.util
import os
import pathlib
import shutil
import sys
import time

NATIVE = ["-O3", "-march=native"]  # as fast as this processor allows


def cython(source):
    """Return the extensions of a source for Cython."""
    from Cython.Build import cythonize

    return cythonize([source], quiet=True)


def mypyc(source):
    """Return the extensions of a source for mypyc."""
    from mypyc.build import mypycify

    return mypycify([source])


def pythran(source):
    """Return the extensions of a source for Pythran."""
    from pythran.dist import PythranExtension

    return [PythranExtension(pathlib.Path(source).stem, [source])]


def build(way, source, folder):
    """Compile a source in a folder; return (seconds, path of the extension).

    way     name of one of the functions above
    source  path; the folder is given a copy
    """
    shutil.copy(source, folder)
    os.chdir(folder)
    start = time.perf_counter()
    import setuptools

    extensions = globals()[way](pathlib.Path(source).name)
    for extension in extensions:
        extension.extra_compile_args += NATIVE
    setuptools.setup(
        name="ahead",
        ext_modules=extensions,
        script_args=["-q", "build_ext", "--inplace"],
    )
    seconds = time.perf_counter() - start
    (library,) = pathlib.Path(folder).glob("*.so")
    return seconds, str(library)


def loaded(name, library):
    """Return the module of an extension, by the path of its library."""
    spec = importlib.util.spec_from_file_location(name, library)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def first(library, function, *arguments):
    """Return the seconds of an import and a first call in this process."""
    start = time.perf_counter()
    module = loaded(pathlib.Path(library).stem, library)
    getattr(module, function)(*arguments)
    return time.perf_counter() - start


def first_numba(*arguments):
    """Return the same of the loop that Numba compiles."""
    start = time.perf_counter()
    from onthefly.kernels.collatz.collatz_numba import collatz_numba

    collatz_numba(*arguments)
    return time.perf_counter() - start


def called(path, function, by_numba=False):
    """Return what a function of a module, without arguments, returns.

    path      of a source or an extension; its name begins with the module's
    by_numba  whether Numba is to compile it
    """
    name = pathlib.Path(path).name.partition(".")[0]
    function = getattr(loaded(name, path), function)
    if by_numba:
        import numba

        function = numba.njit(function)
    return function()
