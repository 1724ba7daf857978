"""Every interpreter of this machine, and the loops that they run."""

import contextlib
import functools
import os
import pathlib
import re
import subprocess
import tempfile
from functools import partial

from onthefly import folders
from onthefly.experiments.interpreters import loops_standalone
from onthefly.experiments.tensorflow import resident
from onthefly.kernels.pi import pi_c
from onthefly.measure import clock
from onthefly.tools import cpp, interpreters
from onthefly.tools.processes import Failed, ProcessError, Program

OLDEST = 11  # the minor version of CPython to begin with
WARM = 30  # calls before a loop is timed: a compiler is done by then


def jit_folder():
    """Return the folder of the CPythons that have a JIT.

    They lie apart: what compares builds with the GIL and without is not to
    take one for its own.
    """
    return folders.build_dir() / "jit"


def _program(path, jit):
    """Return the Program of an interpreter.

    jit  whether CPython's own compiler is to be on where it is there
    """
    return Program(
        loops_standalone.__name__,
        python=path,
        environment={"PYTHON_JIT": "1" if jit else None},
    )


@functools.cache
def _starts():
    """Return (path, jit) of this machine's interpreters, as of `_program`.

    CPython, then PyPy; what has a JIT that is off stands there twice.
    """
    found = []
    for path in _paths():
        with contextlib.suppress(OSError, ProcessError):
            with _program(path, False) as one:
                switched = one.ask("has_switched_off_jit")
            found += [(path, False), (path, True)][: 1 + switched]
    return found


def _paths():
    """Return the paths of this machine's interpreters: CPython, then PyPy."""
    cpythons = [
        one["path"] for one in interpreters.find() if one["minor"] >= OLDEST
    ]
    folders = map(pathlib.Path, os.get_exec_path())
    cpythons += map(str, sorted(jit_folder().glob("*/bin/python3.*[0-9]")))
    listed = os.environ.get("ONTHEFLY_PYTHONS", "").split(os.pathsep)
    pypys = [p for p in map(pathlib.Path, listed) if "pypy" in p.name]
    pypys += [f / "pypy3" for f in folders if (f / "pypy3").exists()]
    return [*cpythons, *map(str, dict.fromkeys(p.resolve() for p in pypys))]


@functools.cache
def programs():
    """Return {what an interpreter is: Program}; each ends with this process.

    Of CPythons that differ in their last number alone, the newest.
    """
    newest = {}
    for start in _starts():
        one = _program(*start)
        name = one.ask("version")
        newest[_kind(name)] = name, one
    return dict(newest.values())


def _kind(name):
    """Return a name without the last number of its version."""
    return re.sub(r"(\d+\.\d+)\.\d+", r"\1", name)


def builds():
    """Return {interpreter: its language, guided, compiler}, for a look."""
    return {
        name: {k: v for k, v in one.ask("build").items() if k != "include"}
        for name, one in programs().items()
    }


def have_pypy():
    """Tell whether this machine has a PyPy."""
    return any(name.startswith("PyPy") for name in programs())


def results(n):
    """Return {loop: [interpreters that make of it what the first makes]}."""
    by_loop = {}
    for loop in loops_standalone.LOOPS:
        found = {k: p.ask("result", loop, n) for k, p in programs().items()}
        first = next(iter(found.values()))
        by_loop[loop] = [k for k, value in found.items() if value == first]
    return by_loop


def loop_times(loop, n, mark, budget, seed=0):
    """Time a loop under each interpreter, in rounds; return Samples.

    loop  one of `loops_standalone.LOOPS`
    n     elements
    mark  {name: function of this process}: what it is compared with

    Each was called often enough before, so that a compiler is done.
    """
    samplers = {}
    for name, one in programs().items():
        one.ask("calls", loop, n, WARM)
        samplers[name] = partial(one.ask, "seconds", loop, n)
    for name, call in mark.items():
        samplers[name] = partial(clock.seconds, call)
    return clock.sample(samplers, budget=budget, first="unknown", seed=seed)


def warm_up(loop, n, count):
    """Return {interpreter: seconds of its first calls}, in new processes."""
    return {name: one.ask("calls", loop, n, count) for name, one in _anew()}


def memory(loop, n):
    """Return {interpreter: its most memory in bytes, after a loop}."""
    found = {}
    for name, one in _anew():
        one.ask("calls", loop, n, 3)
        found[name] = one.ask(resident.peak_memory)
    return found


def _anew():
    """Yield (name, Program) of each of the `programs`, just started."""
    for start in _starts():
        with _program(*start) as one:
            if (name := one.ask("version")) in programs():
                yield name, one


def extension(shots, times, budget, seed=0):
    """Time a call of the C extension under each that loads it; Samples.

    shots  of a call: few, so that the way in and out is what takes the time
    times  calls in a sample
    """
    with tempfile.TemporaryDirectory(prefix="pi_c") as folder:
        samplers = {}
        for number, (name, one) in enumerate(programs().items()):
            path = pathlib.Path(folder) / f"{number}" / "pi_c.so"
            path.parent.mkdir()
            include = one.ask("build")["include"]
            with contextlib.suppress(subprocess.CalledProcessError, Failed):
                cpp.build(pi_c.SOURCE, path, ["-O2", f"-I{include}"])
                ask = partial(
                    one.ask, "extension_seconds", str(path), shots, times
                )
                ask()
                samplers[name] = ask
        return clock.sample(
            samplers, budget=budget, first="unknown", seed=seed
        )
