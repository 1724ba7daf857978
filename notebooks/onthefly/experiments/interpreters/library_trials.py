"""Libraries under a build without the GIL: who loads, and who gains."""

import contextlib
import pathlib
import tempfile
from functools import partial

from onthefly import folders
from onthefly.experiments.interpreters import library_child
from onthefly.kernels.pi import pi_c
from onthefly.measure import clock
from onthefly.tools import cpp, interpreter_child
from onthefly.tools.processes import Ended, Failed, Program

# {module: the distribution that brings it}
LIBRARIES = {
    "numpy": "numpy",
    "scipy": "scipy",
    "pandas": "pandas",
    "matplotlib": "matplotlib",
    "jax": "jaxlib",
    "numba": "numba",
    "numexpr": "numexpr",
    "tensorflow": "tensorflow",
    "pyarrow": "pyarrow",
    "PIL": "pillow",
    "lxml": "lxml",
    "msgpack": "msgpack",
    "yaml": "pyyaml",
    "Cython": "cython",
}

# The book's own extension as it was, and as it is ready: {name: flags}.
OWN = {"pi_c": (), "pi_c, declared": ("-DNO_GIL_NEEDED",)}
NAMES = (*LIBRARIES, *OWN)


def folder():
    """Return where the environment of free-threaded libraries is, or not."""
    return folders.build_dir() / "free_threaded"


def python():
    """Return the path of that environment's interpreter."""
    return folder() / "bin" / "python"


def made():
    """Tell whether the environment is there."""
    return python().exists()


def _program():
    return Program(
        library_child.__name__,
        python=python(),
        environment={"MPLBACKEND": "agg"},  # a notebook has another one
    )


def build():
    """Return what the environment's interpreter says of itself."""
    with _program() as program:
        return program.ask(interpreter_child.facts)


@contextlib.contextmanager
def _loaded(name):
    """Give (Program, what it says of a library that it has loaded)."""
    with _program() as program, tempfile.TemporaryDirectory() as folder:
        if name in LIBRARIES:
            yield program, program.ask("loads", name)
            return
        path = pathlib.Path(folder) / "pi_c.so"
        include = program.ask("include")
        cpp.build(pi_c.SOURCE, path, ["-O2", f"-I{include}", *OWN[name]])
        yield program, program.ask("loads_file", name, str(path))


def tried(steps):
    """Try each library, in a process of its own; return a list of dicts.

    steps  of each of two threads

    Keys: library, version (None where it is not installed), gil (whether the
    lock is on after the import), warned, right, error.
    """
    return [{"library": name} | _tried(name, steps) for name in NAMES]


def _tried(name, steps):
    try:
        with _loaded(name) as (program, found):
            if name in library_child.WORK or name in OWN:
                found["right"] = program.ask("right", name, steps)
            return found
    except (Failed, Ended) as error:
        return {"version": None, "error": str(error).partition(": ")[2]}


def gains(names, steps, budget, seed=0):
    """Time each library's work twice, in turn and by threads; Samples.

    names   of those that load and have work here
    steps   of each thread
    budget  seconds
    """
    with contextlib.ExitStack() as stack:
        samplers = {}
        for name in names:
            program, _ = stack.enter_context(_loaded(name))
            for way in library_child.WAYS:
                samplers[f"{name}, {way}"] = partial(
                    program.ask, "seconds", name, steps, way
                )
        return clock.sample(
            samplers, budget=budget, first="unknown", seed=seed
        )
