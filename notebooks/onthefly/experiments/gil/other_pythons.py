"""The experiments of this folder under other interpreters than this one.

Each runs in a process of its own, from a stand-alone module of this folder.
"""

import functools

from onthefly import clock
from onthefly.experiments.gil import (
    count_standalone,
    handovers_standalone,
    speed_standalone,
)
from onthefly.tools import interpreter_child
from onthefly.tools.processes import Program, answer

FILL = 5 * 10**6  # numbers of an array; beyond 32 MB always new memory
# Ordinary pages: an array's memory comes with one boundary every 4 KiB.
ORDINARY = {"NUMPY_MADVISE_HUGEPAGE": "0"}


def two_loops(python, steps, budget, seed=0):
    """Time two counting loops under an interpreter, one way and another.

    python  its path
    steps   of each loop
    budget  seconds

    Returns Timings of the ways that it has.
    """
    with Program(speed_standalone.__name__, python=python) as program:
        loops = {
            way: functools.partial(program.ask, "loop_seconds", way, steps)
            for way in program.ask("names")
        }
        return clock.sample(loops, budget=budget, rounds=12, seed=seed)


def released(python):
    """Return {call: hand-overs} under an interpreter."""
    module = handovers_standalone.__name__
    return answer(module, "released_by_name", python=python)


def counts(python, budget, tries, threads=8):
    """Count in threads under an interpreter.

    budget   seconds, half for the loops and half for NumPy's counts
    tries    counts made before a fill of the array was over
    threads  that count at once

    Returns a dict: what `interpreter_child.facts` and
    `count_standalone.facts` say; loops and counts, as
    `try_loops` and `try_counts` return them (no counts without NumPy); fresh
    and reused, the unfinished counts in new and in known memory.
    """
    module = count_standalone.__name__
    with Program(module, python=python, environment=ORDINARY) as program:
        found = program.ask(interpreter_child.facts)
        found |= program.ask("facts", FILL)
        found["loops"] = program.ask("try_loops", threads, budget / 2)
        found["counts"], found["fresh"], found["reused"] = {}, [], []
        if found["numpy"]:
            found["counts"] = program.ask("try_counts", threads, budget / 2)
            for memory, fresh in (("fresh", True), ("reused", False)):
                found[memory] = program.ask("unfinished", FILL, tries, fresh)
    return found
