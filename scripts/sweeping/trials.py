"""The processes of a sweep: in each, kernels are checked, then timed."""

import functools
import os
import random
import statistics
from pathlib import Path

import numpy as np

from commandline import ROOT
from onthefly import clock, machine, provenance
from onthefly.experiments.choice.problems import PROBLEMS
from onthefly.tools.processes import (
    Ended,
    Failed,
    Late,
    ProcessError,
    Program,
)
from sweeping import record, timing_child

CHILD = "sweeping.timing_child"
SOURCE = Path(timing_child.__file__).relative_to(ROOT).as_posix()
SAMPLE = 0.01  # seconds that a sample lasts, about
ROUNDS = 8  # samples of a kernel in a process; their median is its number
LIMIT = 120  # seconds that one call may take, its compiling included
PATHS = os.pathsep.join(map(str, (ROOT / "scripts", provenance.NOTEBOOKS)))
ENVIRONMENT = {"PYTHONPATH": PATHS, "PYTHONNOUSERSITE": "1"}


def measure(sweep, kernels, pythons, path, tell=print):
    """Measure what is left of a Sweep, a process at a time; keep each.

    kernels  list of Kernel
    pythons  {version: path of its interpreter}
    path     of the file that keeps it
    tell     function that is given a line for each round

    All versions take turns in each round, in a random order.
    """
    record.save(sweep, path)
    for number, rows in sweep.left().items():
        tell(f"round {number + 1} of {sweep.repeat}")
        random.Random(number).shuffle(rows)
        for row in rows:
            python = pythons[row.version]
            _run(row, python, kernels, sweep.sizes, number)
            record.save(sweep, path)


def _run(row, python, kernels, sizes, number):
    """Measure one version in a process; its Row says what came of it."""
    able = [k for k in kernels if k.name not in row.failed]
    try:
        seconds, failed, others = once(python, able, sizes, seed=number)
    except (ProcessError, OSError) as error:
        row.reason = _line(error)
        return
    row.failed |= failed
    if not seconds:
        row.reason = next(iter(row.failed.values()))
        return
    run = {"round": number, "seconds": seconds, "others": round(others, 3)}
    row.runs.append(run)


def once(python, kernels, sizes, seed=0):
    """Measure kernels in one new process of an interpreter.

    python   its path
    kernels  list of Kernel
    sizes    of the problems' data
    seed     of the order of the samples

    Returns ({kernel: [seconds of a call of each size]}, {kernel: why it has
    none}, cores that other programs used).  A kernel that fails, ends its
    process or computes another result has none; the others are measured.
    """
    failed, seconds = {}, None
    others = machine.Bystanders()
    while seconds is None:  # the others get a new process
        able = [k for k in kernels if k.name not in failed]
        with Program(CHILD, python=python, environment=ENVIRONMENT) as child:
            try:
                seconds = _by_size(child, able, sizes, seed, failed)
            except (Ended, Late) as error:
                failed[error.kernel] = _line(error)
    return seconds, failed, others.cores()


def _by_size(child, kernels, sizes, seed, failed):
    """Return {kernel: [seconds of a call of each size]} of one process.

    The smallest comes first: what a call of a large size leaves behind, as
    memory that the C library keeps, would make a smaller one faster.
    """
    seconds = {kernel.name: [] for kernel in kernels}
    for size in (None, *sizes):
        calls = {}
        for kernel in kernels:
            if kernel.name in failed:
                continue
            try:
                ask = functools.partial(child.ask, limit=LIMIT)
                calls[kernel.name] = _ready(ask, kernel, size)
            except Failed as error:
                failed[kernel.name] = _line(error.text)
            except (Ended, Late) as error:
                error.kernel = kernel.name
                raise
        if size and calls:
            for name, value in _sampled(child, calls, seed).items():
                seconds[name].append(value)
    return {k: some for k, some in seconds.items() if k not in failed}


def _line(error):
    return " ".join(str(error).split())[:200]


def _sampled(child, calls, seed):
    """Take samples of what is ready, in rounds; return {kernel: median}.

    calls  {kernel: calls in a sample}
    """
    times = clock.sample(
        {
            name: functools.partial(
                child.ask, "seconds", name, count, limit=LIMIT
            )
            for name, count in calls.items()
        },
        budget=60,
        rounds=ROUNDS,
        seed=seed,
        first="unknown",
    )
    return {
        name: statistics.median(times.series(name).values)
        for name in times.names
    }


def _ready(ask, kernel, size):
    """Load a kernel's data and call it; return the calls of a sample.

    size  of the data; None: of those whose result is checked

    Raises Failed where it does, also for another result than Python's.
    """
    problem = PROBLEMS[kernel.problem]
    data = _sent(kernel.problem, size or problem.judged)
    ask("load", kernel.name, kernel.module, kernel.name, data, kernel.form)
    if size is None:
        result = ask("result", kernel.name, kernel.form)
        if isinstance(result, list):
            result = np.array(result)
        if not problem.same(result, _expected(kernel.problem)):
            raise Failed(CHILD, "it computes another result")
        return 0
    ask("seconds", kernel.name, 1)  # fills its caches
    single = ask("seconds", kernel.name, 1)
    return 1 + int(SAMPLE / max(single, 1e-9))


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
