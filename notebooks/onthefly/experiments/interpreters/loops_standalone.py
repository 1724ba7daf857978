"""Loops of plain Python, timed by the interpreter that runs them.

Stand-alone: runs under any Python from 3.6, CPython or PyPy, with nothing
installed.
"""

import importlib.machinery
import importlib.util
import random
import sys
import sysconfig
import time

from onthefly.kernels.collatz.collatz_python import collatz_python
from onthefly.kernels.pi.pi_python import pi_python
from onthefly.kernels.words.words_python import words_python


def levels(inflow, limit=10.0):
    """Return a tank's level after each inflow; one too full is emptied."""
    level, found = 0.0, []
    for amount in inflow:
        level += amount
        if level > limit:
            level = 0.0
        found.append(level)
    return found


def _words(n):
    draw = random.Random(n).randrange
    return " ".join("w%d" % min(draw(1, 200), draw(1, 200)) for _ in range(n))


def _starts(n):
    draw = random.Random(n).randrange
    return [draw(1, 10**6) for _ in range(n)]


def _inflow(n):
    draw = random.Random(n).random
    return [draw() for _ in range(n)]


# What each needs for n elements, and what it does with it.
LOOPS = {
    "π": (lambda n: n, lambda n: pi_python(n, random.Random(n))),
    "recurrence": (_inflow, levels),
    "collatz": (_starts, collatz_python),
    "words": (_words, words_python),
}


def version():
    """Return what this interpreter is, in a few words."""
    name = sys.implementation.name
    python = "%d.%d.%d" % sys.version_info[:3]
    if name == "pypy":
        return "PyPy %d.%d.%d" % sys.pypy_version_info[:3]
    free = "" if getattr(sys, "_is_gil_enabled", lambda: True)() else "t"
    kind = " JIT" * _jit() + ", packaged" * _packaged()
    return "CPython %s%s%s" % (python, free, kind)


def _jit():
    """Tell whether CPython's own compiler is at work."""
    jit = getattr(sys, "_jit", None)
    if jit is not None:
        return jit.is_enabled()
    return "--enable-experimental-jit" in _options()


def has_switched_off_jit():
    """Tell whether CPython has a compiler that PYTHON_JIT=1 turns on."""
    jit = getattr(sys, "_jit", None)
    return jit is not None and jit.is_available() and not jit.is_enabled()


def _options():
    """Return what CPython was configured by."""
    return sysconfig.get_config_var("CONFIG_ARGS") or ""


def _packaged():
    """Tell whether a distribution built it: for speed, in ways of its own."""
    return "--prefix=/usr'" in _options()


def build():
    """Return a dict: language (version), guided (by a profile), compiler."""
    return {
        "language": "%d.%d" % sys.version_info[:2],
        "guided": "--enable-optimizations" in _options(),
        "packaged": _packaged(),
        "compiler": sys.version.partition("[")[2].partition("]")[0],
        "include": sysconfig.get_paths()["include"],
    }


def result(loop, n):
    """Return what a loop makes of n elements, in a form to compare."""
    make, work = LOOPS[loop]
    value = work(make(n))
    return sorted(value.items()) if isinstance(value, dict) else value


def calls(loop, n, count):
    """Return the seconds of each of the first calls; data are there."""
    make, work = LOOPS[loop]
    given, taken = make(n), []
    for _ in range(count):
        start = time.perf_counter()
        work(given)
        taken.append(time.perf_counter() - start)
    return taken


def seconds(loop, n):
    """Return the seconds of a call."""
    return calls(loop, n, 1)[0]


_loaded = {}


def extension_seconds(path, shots, times):
    """Return the seconds of a call of the C extension pi_c.

    path   of a build for this interpreter
    times  calls to take the mean of
    """
    if path not in _loaded:
        # PyPy knows an extension by another suffix: say what loads it.
        loader = importlib.machinery.ExtensionFileLoader("pi_c", path)
        spec = importlib.util.spec_from_loader("pi_c", loader)
        _loaded[path] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(_loaded[path])
    hits = _loaded[path].hits
    start = time.perf_counter()
    for _ in range(times):
        hits(shots, 1)
    return (time.perf_counter() - start) / times
