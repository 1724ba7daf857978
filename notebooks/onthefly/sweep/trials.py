"""The processes of a sweep: each checks and times one function."""

import random

from onthefly import folders
from onthefly.measure import machine
from onthefly.sweep import record, timing_child
from onthefly.tools import processes

CHILD = timing_child.__name__
SOURCE = timing_child.__file__


def measure(sweep, timed, pythons, path, tell):
    """Measure what is left of a Sweep; keep each version of each round.

    timed    list of Kernel, or of Own
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
            _run(row, pythons[row.version], timed, sweep.sizes, number)
            record.save(sweep, path)


def _run(row, python, timed, sizes, number):
    """Measure a version once; its Row says what came of it.

    A function that fails, or ends its process, costs only itself.
    """
    seconds, others = {}, machine.Bystanders()
    for one in timed:
        if one.name not in row.failed:
            try:
                seconds[one.name] = once(python, one, sizes)
            except (processes.ProcessError, OSError) as error:
                text = str(getattr(error, "text", error))
                row.failed[one.name] = " ".join(text.split())[:200]
    if seconds:
        others = round(others.cores(), 3)
        row.runs.append(
            {"round": number, "seconds": seconds, "others": others}
        )
    else:
        row.reason = next(iter(row.failed.values()))


def once(python, one, sizes):
    """Return [seconds of a call of each size], in a process of its own.

    python  path of an interpreter
    one     a Kernel, or an Own

    Raises ProcessError.
    """
    alone = {
        "PYTHONPATH": str(folders.home()),
        "PYTHONNOUSERSITE": "1",
    }
    with processes.Program(CHILD, python=python, environment=alone) as child:
        return one.seconds(child, sizes)
