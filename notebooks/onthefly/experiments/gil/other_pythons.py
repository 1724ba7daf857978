"""The experiments of this folder under other interpreters than this one.

Each runs in a process of its own, from a stand-alone module of this folder.
"""

import functools
import mmap
import sys

from onthefly.experiments.gil import count_standalone, speed_standalone
from onthefly.experiments.then import environments
from onthefly.measure import clock
from onthefly.measure.quantity import Quantity
from onthefly.tools import interpreter_child, interpreters
from onthefly.tools.processes import Program

# Ordinary pages: an array's memory comes with one boundary every 4 KiB.
ORDINARY = {"NUMPY_MADVISE_HUGEPAGE": "0"}
NONE = "no NumPy"  # in the name of an interpreter without one


def kinds():
    """Return what tells the interpreters of this machine apart, a list.

    Each is a dict: version, minor, free_threaded.
    """
    keys = "version", "minor", "free_threaded"
    return [{k: python[k] for k in keys} for python in interpreters.find()]


def build(python):
    """Return whether an interpreter is built with a GIL, in words."""
    return "free-threaded" if python["free_threaded"] else "GIL"


def labelled(python):
    """Return the version and the build of an interpreter."""
    return f"{python['version']} {build(python)}"


def two_loops(label, steps, budget, seed=0):
    """Time two counting loops under an interpreter, one way and another.

    label   of an interpreter of this machine, as `labelled`
    steps   of each loop
    budget  seconds

    Returns Samples of the ways that it has.
    """
    (path,) = (
        python["path"]
        for python in interpreters.find()
        if labelled(python) == label
    )
    with Program(speed_standalone.__name__, python=path) as program:
        loops = {
            way: functools.partial(program.ask, "loop_seconds", way, steps)
            for way in program.ask("names")
        }
        return clock.sample(loops, budget=budget, rounds=12, seed=seed)


@functools.cache
def _counters():
    """Return {name: Program of `count_standalone`}, the oldest first."""
    pythons = interpreters.find()
    oldest = environments.made("numba-").get("2018", pythons[0]["path"])
    free = [python["path"] for python in pythons if python["free_threaded"]]
    programs = {}
    for path in dict.fromkeys([oldest, *free, sys.executable]):
        program = Program(
            count_standalone.__name__, python=path, environment=ORDINARY
        )
        programs[named(program)] = program
    return programs


def counters():
    """Return the names of interpreters that count, the oldest first.

    They are the stack of 2018, or without it the oldest interpreter found;
    each free-threaded build; and this one.  A name tells the versions of
    Python and NumPy.
    """
    return list(_counters())


def counter(name):
    """Return the Program of `count_standalone` of one of `counters`.

    It ends with this process.
    """
    return _counters()[name]


def with_numpy():
    """Return {"then": name, "now": name} of those `counters` with a NumPy.

    Without "then" where there is no stack of 2018.
    """
    names = counters()
    then = {"then": names[0]} if environments.made("numba-") else {}
    return then | {"now": names[-1]}


def named(program):
    """Return what the interpreter of a Program is, in words."""
    python = program.ask(interpreter_child.facts)
    kind = "" if python["gil"] else " free-threaded"
    numpy = program.ask("facts", 1)["numpy"]
    beside = f"NumPy {numpy}" if numpy else NONE
    return f"{python['version']}{kind}, {beside}"


def whole_pages(counts, offset, itemsize=8):
    """Return the share of counts that end where a page of memory ends.

    counts    of an array's first elements; none bound nothing
    offset    where in its page the array begins, in bytes
    itemsize  bytes of an element
    """
    if not counts:
        return Quantity(0.5, 0.0, 1.0, "%", "no count was met")
    ends = [(count * itemsize + offset) % mmap.PAGESIZE for count in counts]
    return Quantity.share(ends.count(0), len(ends))
