"""PyTorch and TensorFlow under Dask's threads, in processes of their own.

A freeze or a crash takes the process with it, so the parent only watches.
Source: Okuda, PyCon JP 2018, slide 40.
"""

import contextlib
import itertools
import signal
import time

from onthefly.measure.libraries import lacking
from onthefly.tools.processes import Late, ProcessError, Program

# The ways of each library, in the order in which they are tried; and two
# that end badly on purpose: would we notice?
WAYS = {
    "torch": ("PyTorch",),
    "tensorflow": ("TensorFlow, eager", "TensorFlow, session"),
    "freeze": ("freeze",),
    "crash": ("crash",),
}


def outcome(error):
    """Name the end of a program by the error of its last answer, or None."""
    if error is None:
        return "completed"
    if isinstance(error, Late):
        return "frozen"
    status = getattr(error, "status", None) or 0
    return signal.Signals(-status).name if status < 0 else "failed"


def trials(names, threads, *, shots=100_000, rounds=3, limit=60):
    """Run libraries side by side; return {name: what became of each}.

    names    of `WAYS`
    threads  list of thread counts
    rounds   estimates of each way and thread count
    limit    seconds after which a program counts as frozen, and is ended;
             or {name: seconds}, the least of them last in `names`

    A result has end (see `outcome`), done: a list of [way, threads,
    estimates], and error: its text, or "".
    """
    start = time.monotonic()
    cells = {k: list(itertools.product(WAYS[k], threads)) for k in names}
    with contextlib.ExitStack() as stack:
        running = {
            name: stack.enter_context(
                Program("onthefly.experiments.dask.trials_child")
            )
            for name in names
        }
        for name, program in running.items():
            for way, count in cells[name]:
                program.send("estimates", way, shots, rounds, count)
        return {
            name: watched(
                program,
                cells[name],
                start + (limit[name] if isinstance(limit, dict) else limit),
            )
            for name, program in running.items()
        }


def watched(program, cells, until):
    """Return what became of a program that was sent all its questions.

    cells  [(way, threads)] of them
    until  the time, by ``time.monotonic``, when it counts as frozen

    Raises Failed where a library is missing.
    """
    done, error = [], None
    try:
        for way, count in cells:
            left = max(0.1, until - time.monotonic())
            done.append([way, count, program.receive(left)])
    except ProcessError as caught:
        if lacking(caught):  # that is no outcome of a trial
            raise
        error = caught
    return {"end": outcome(error), "done": done, "error": str(error or "")}
