"""The processes of a sweep: in each, a kernel is checked, then timed."""

import functools
import os
import random
from pathlib import Path

import numpy as np

from commandline import ROOT
from onthefly.kernels.problems import PROBLEMS
from onthefly.measure import machine
from onthefly.page import checkout
from onthefly.tools.processes import Failed, ProcessError, Program
from sweeping import record, timing_child

CHILD = timing_child.__name__
SOURCE = Path(timing_child.__file__).relative_to(ROOT).as_posix()
PATHS = os.pathsep.join(map(str, (ROOT / "scripts", checkout.NOTEBOOKS)))
ENVIRONMENT = {"PYTHONPATH": PATHS, "PYTHONNOUSERSITE": "1"}


def measure(sweep, kernels, pythons, path, tell):
    """Measure what is left of a Sweep; keep each version of each round.

    kernels  list of Kernel
    pythons  {version: path of its interpreter}
    path     of the file that keeps it
    tell     function that is given a line for each round

    All versions take turns in each round, in a random order.
    """
    record.save(sweep, path)
    for number in range(sweep.repeat):
        rows = sweep.left(number)
        if rows:
            tell(f"round {number + 1} of {sweep.repeat}")
        random.Random(number).shuffle(rows)
        for row in rows:
            _run(row, pythons[row.version], kernels, sweep.sizes, number)
            record.save(sweep, path)


def _run(row, python, kernels, sizes, number):
    """Measure a version once; its Row says what came of it.

    A kernel that fails, or ends its process, costs only itself.
    """
    seconds, others = {}, machine.Bystanders()
    for kernel in kernels:
        if kernel.name not in row.failed:
            try:
                seconds[kernel.name] = once(python, kernel, sizes)
            except (ProcessError, OSError) as error:
                text = str(getattr(error, "text", error))
                row.failed[kernel.name] = " ".join(text.split())[:200]
    if seconds:
        others = round(others.cores(), 3)
        row.runs.append(
            {"round": number, "seconds": seconds, "others": others}
        )
    else:
        row.reason = next(iter(row.failed.values()))


def once(python, kernel, sizes):
    """Return [seconds of a call of each size], in a process of its own.

    python  path of an interpreter
    sizes   of the problem's data, ascending: what a large call leaves behind,
            as memory that the C library keeps, would make a smaller faster

    Raises ProcessError, also where the kernel computes another result than
    plain Python here.
    """
    problem = PROBLEMS[kernel.problem]

    def ask(question, size):
        data = _sent(kernel.problem, size)
        return child.ask(
            question, kernel.module, kernel.name, data, kernel.form
        )

    with Program(CHILD, python=python, environment=ENVIRONMENT) as child:
        result = ask("result", problem.judged)
        if isinstance(result, list):
            result = np.array(result)
        if not problem.same(result, _expected(kernel.problem)):
            raise Failed(CHILD, "it computes another result")
        return [ask("seconds", size) for size in sizes]


@functools.cache
def _expected(problem):
    return PROBLEMS[problem].result("Python", PROBLEMS[problem].judged)


@functools.cache
def _sent(problem, size):
    """Return a problem's arguments as a child takes them: see `result`.

    Every version gets the same numbers: they are drawn here.
    """
    return [
        (x.dtype.str, x.tolist()) if isinstance(x, np.ndarray) else (None, x)
        for x in PROBLEMS[problem].data(size)
    ]
