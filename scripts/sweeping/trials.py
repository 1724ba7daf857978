"""One process of a sweep: each kernel is checked, then timed."""

import functools
import os
import statistics
from dataclasses import dataclass

import numpy as np

from commandline import ROOT
from onthefly import clock, machine, provenance
from onthefly.experiments.choice.problems import PROBLEMS
from onthefly.tools.processes import Ended, Failed, Late, Program
from sweeping import timing_child

CHILD = "sweeping.timing_child"
SAMPLE = 0.01  # seconds that a sample lasts, about
ROUNDS = 8  # samples of a kernel in a process; their median is its number
LIMIT = 120  # seconds that one call may take, its compiling included
PATHS = os.pathsep.join(map(str, (ROOT / "scripts", provenance.NOTEBOOKS)))


@dataclass(frozen=True)
class Run:
    """What one process found.

    seconds  {kernel: of a call, the median of its samples}
    lost     {kernel: why it has none}
    others   cores that other programs used meanwhile
    """

    seconds: dict[str, float]
    lost: dict[str, str]
    others: float


def once(python, kernels, size, seed=0):
    """Measure kernels in one new process of an interpreter; return a Run.

    python   its path
    kernels  list of Kernel
    size     of the problems' data
    seed     of the order of the samples

    A kernel that fails, ends its process or computes another result is
    lost, with its reason; the others are measured.
    """
    lost = {}
    while left := [k for k in kernels if k.name not in lost]:
        environment = {"PYTHONPATH": PATHS, "PYTHONNOUSERSITE": "1"}
        with Program(CHILD, python=python, environment=environment) as child:
            loops = {}
            for kernel in left:
                try:
                    loops[kernel.name] = _ready(child, kernel, size)
                except Failed as error:
                    lost[kernel.name] = _line(error.text)
                except (Ended, Late) as error:
                    lost[kernel.name] = _line(str(error))
                    break  # the others get a new process
            else:
                return _taken(child, loops, lost, seed)
    return Run({}, lost, 0.0)


def _line(text):
    return " ".join(text.split())[:200]


def _taken(child, loops, lost, seed):
    """Take the samples of what is ready, in rounds; return a Run."""
    if not loops:
        return Run({}, lost, 0.0)
    others = machine.Bystanders()
    samplers = {
        name: functools.partial(
            child.ask, "seconds", name, calls, limit=LIMIT
        )
        for name, calls in loops.items()
    }
    times = clock.sample(
        samplers, budget=60, rounds=ROUNDS, seed=seed, first="unknown"
    )
    found = {name: statistics.median(times.series(name).values)
             for name in times.names}  # fmt: skip
    return Run(found, lost, others.cores())


def _ready(child, kernel, size):
    """Check a kernel and call it once at a size; return calls of a sample.

    Raises Failed where it does, also for another result than Python's.
    """
    problem = PROBLEMS[kernel.problem]
    load = functools.partial(
        child.ask, "load", kernel.name, kernel.module, kernel.name
    )
    load(_sent(kernel.problem, problem.judged), kernel.form, limit=LIMIT)
    found = child.ask("result", kernel.name, kernel.form, limit=LIMIT)
    if not problem.same(_as_arrays(found), _expected(kernel.problem)):
        raise Failed(timing_child.__name__, "it computes another result")
    load(_sent(kernel.problem, size), kernel.form, limit=LIMIT)
    child.ask("seconds", kernel.name, 1, limit=LIMIT)  # fills its caches
    single = child.ask("seconds", kernel.name, 1, limit=LIMIT)
    return 1 + int(SAMPLE / max(single, 1e-9))


def _as_arrays(found):
    return np.array(found) if isinstance(found, list) else found


@functools.cache
def _expected(problem):
    """Return the result of plain Python, here, at the size that is judged."""
    return PROBLEMS[problem].result("Python", PROBLEMS[problem].judged)


@functools.cache
def _sent(problem, size):
    """Return a problem's arguments as a child takes them: see `load`.

    Every version gets the same numbers: they are drawn here.
    """
    return [
        (x.dtype.str, x.tolist()) if isinstance(x, np.ndarray) else (None, x)
        for x in PROBLEMS[problem].data(size)
    ]
