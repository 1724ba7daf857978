"""The service desk: its memory under PyPy, its builds, its replications."""

import functools
import importlib

from onthefly.experiments.tensorflow import resident
from onthefly.experiments.worked import memory, versions
from onthefly.measure import clock, libraries
from onthefly.measure.samples import MIN_ROUNDS
from onthefly.programs import compiled, pypy, rust
from onthefly.programs.desk import desk_pypy_child

REPLICATIONS = "onthefly.programs.desk.desk_replications"


def peaks(modules, *arguments):
    """Return what `memory.peaks` does; "PyPy" is what PyPy held."""
    own = {name: m for name, m in modules.items() if name != "PyPy"}
    taken = memory.peaks(own, *arguments)
    with (
        libraries.spared({}, "PyPy"),
        pypy.start(desk_pypy_child.__name__) as program,
    ):
        program.ask("keep", "input", *arguments)
        program.ask("run")
        taken["PyPy"] = program.ask(resident.peak_memory)
    return taken


def builds():
    """Return {way: seconds} that building an extension took."""
    ways = {
        "mypyc": lambda: compiled.extension("mypyc", "desk/desk_classes.py"),
        "Rust": lambda: rust.extension("desk_rust", "desk/crate"),
    }
    taken = {}
    for way, build in ways.items():
        with libraries.spared({}, way):
            _, taken[way] = build()
    return taken


def replications(runs, customers, budget, seed=0):
    """Time many simulations, in turn and shared; return Samples.

    runs       simulations of a sample
    customers  of each

    Series are named "version, how".
    """
    ways = {
        "tuples, in turn": ("in_turn", "tuples"),
        "tuples, processes": ("in_processes", "tuples"),
        "Numba, in turn": ("in_turn", "numba"),
        "Numba, threads": ("in_threads", "numba"),
        "Numba, processes": ("in_processes", "numba"),
    }
    calls = {
        name: functools.partial(_replicate, way, version, runs, customers)
        for name, (way, version) in ways.items()
    }
    return clock.measure(calls, budget=budget, least=MIN_ROUNDS, seed=seed)


def _replicate(way, version, runs, customers):
    simulate = versions.function(f"onthefly.programs.desk.desk_{version}")
    home = importlib.import_module(REPLICATIONS)
    return getattr(home, way)(runs, customers, simulate)


def lists(steps, budget, seed=0):
    """Time a heap in two kinds of list that Numba compiles; Samples."""
    home = "onthefly.programs.desk.desk_lists"
    calls = {
        name: functools.partial(versions.call, home, function, steps)
        for name, function in {
            "own list": "in_own_list",
            "typed list": "in_typed_list",
        }.items()
    }
    return clock.measure(calls, budget=budget, least=MIN_ROUNDS, seed=seed)


def means(runs, customers):
    """Return the mean waiting time of each of many simulations."""
    home = importlib.import_module(REPLICATIONS)
    return home.in_turn(runs, customers)
