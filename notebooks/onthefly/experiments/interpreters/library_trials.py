"""Libraries under a build without the GIL: who loads, and who gains."""

from functools import partial

from onthefly import clock, results
from onthefly.experiments.interpreters import library_child
from onthefly.tools import interpreter_child
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


def folder():
    """Return where the environment of free-threaded libraries is, or not."""
    return results.build_dir() / "free_threaded"


def python():
    """Return the path of that environment's interpreter."""
    return folder() / "bin" / "python"


def made():
    """Tell whether the environment is there."""
    return python().exists()


def _program():
    return Program(library_child.__name__, python=python())


def build():
    """Return what the environment's interpreter says of itself."""
    with _program() as program:
        return program.ask(interpreter_child.facts)


def tried(steps):
    """Try each library, in a process of its own; return a list of dicts.

    steps  of each of two threads

    Keys: library, version (None where it cannot be imported), gil (whether
    the lock is on after the import), warned, right, error.
    """
    return [{"library": name} | _tried(name, steps) for name in LIBRARIES]


def _tried(name, steps):
    with _program() as program:
        try:
            found = program.ask("loads", name)
            if name in library_child.WORK:
                found["right"] = program.ask("right", name, steps)
            return found
        except (Failed, Ended) as error:
            return {"version": None, "error": str(error).partition(": ")[2]}


def gains(names, steps, budget, seed=0):
    """Time each library's work twice, in turn and in threads; Samples.

    names   modules of WORK that load
    steps   of each thread
    budget  seconds
    """
    programs = {name: _program() for name in names}
    try:
        for name, program in programs.items():
            program.ask("loads", name)
        samplers = {
            f"{name}, {way}": partial(
                program.ask, "seconds", name, steps, way == "threads"
            )
            for name, program in programs.items()
            for way in ("in turn", "threads")
        }
        return clock.sample(
            samplers, budget=budget, first="unknown", seed=seed
        )
    finally:
        for program in programs.values():
            program.close()
