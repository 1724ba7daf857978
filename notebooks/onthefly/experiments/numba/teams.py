"""Threads of parallel loops, counted and timed in a process of its own,
whose environment and cores are set before Numba starts any.

Source of the question: Okuda, PyCon JP 2018, slide 24.
"""

import contextlib
import os

from onthefly.tools import processes


@contextlib.contextmanager
def _tied(cores):
    """Let what is started meanwhile use the first so many cores only."""
    if cores is None or not hasattr(os, "sched_setaffinity"):
        yield
        return
    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(every)[:cores])
    try:
        yield
    finally:
        os.sched_setaffinity(0, every)


def process(cores=None, **environment):
    """Return a Program that runs parallel loops.

    cores        how many of this process's cores it may use; by default all
                 (where the system does not tie processes, all)
    environment  variables for it; NUMBA_NUM_THREADS is unset by default

    It answers what the functions of `teams_child` return, and is closed by
    ``with`` or `close`.
    """
    given = {"NUMBA_NUM_THREADS": None} | environment
    texts = {k: v if v is None else str(v) for k, v in given.items()}
    with _tied(cores):
        return processes.Program(
            f"{__package__}.teams_child", environment=texts
        )


def at_work(settings):
    """Count the threads that share a loop, under several settings.

    settings  {name: arguments of `process`, a dict}; beside them `callers`,
              how many threads of Python run the loop at once (1)

    Returns {name: count, or the signal that ended the process}.  The
    processes run side by side: they are counted, not timed.
    """
    with contextlib.ExitStack() as stack:
        running = {}
        for name, options in settings.items():
            given = dict(options)
            callers = given.pop("callers", 1)
            running[name] = stack.enter_context(process(**given))
            running[name].send("at_work", callers)
        return {name: _told(program) for name, program in running.items()}


def _told(program):
    """Return a program's answer, or what ended it."""
    try:
        return program.receive()
    except processes.Ended as error:
        return error.how


def beside(name, program, shots):
    """Return a sampler of a pool at rest, and right behind a loop.

    name     of the program in the samples
    program  function of the name that returns a `process`
    shots    shared by the two threads of the pool
    """

    def sample():
        seconds = program(name).ask("beside", shots)
        return {f"{name}, {when}": s for when, s in seconds.items()}

    return sample
