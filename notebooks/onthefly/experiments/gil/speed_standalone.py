"""The same counting loop in series, threads, processes, sub-interpreters.

Stand-alone: runs under any Python from 3.6, with nothing installed.  Source:
Okuda, PyCon JP 2018, slides 7 and 8.
"""

import sys
import time
from multiprocessing import get_context
from threading import Thread

WORKERS = 2
# What a sub-interpreter runs: it shares no function with us.
LOOP = "total = 0\nfor _ in range(%d):\n    total += 1\n"


def add(steps):
    """Add 1 `steps` times."""
    total = 0
    for _ in range(steps):
        total += 1
    return total


def _run(workers):
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def series(steps):
    """One after the other."""
    for _ in range(WORKERS):
        add(steps)


def threads(steps):
    """Two threads."""
    _run([Thread(target=add, args=(steps,)) for _ in range(WORKERS)])


def processes(steps):
    """Two processes, by fork."""
    new = get_context("fork").Process
    _run([new(target=add, args=(steps,)) for _ in range(WORKERS)])


def _interpreters():
    """Return (create, run, destroy) of this Python, or None.

    Since 3.12 each sub-interpreter may have a GIL of its own (PEP 684); the
    modules below are private until 3.14 (PEP 734).
    """
    if sys.version_info >= (3, 14):
        from concurrent import interpreters

        return (
            interpreters.create,
            lambda one, code: one.exec(code),
            lambda one: one.close(),
        )
    if sys.version_info >= (3, 13):
        import _interpreters as private

        return private.create, private.exec, private.destroy
    if sys.version_info >= (3, 12):
        import _xxsubinterpreters as private

        return private.create, private.run_string, private.destroy
    return None


def subinterpreters(steps):
    """Two sub-interpreters, each in a thread, each with its own GIL."""
    create, run, destroy = _interpreters()
    # A function's locals are faster than a module's globals: as in `add`.
    body = (LOOP % steps).replace("\n", "\n    ")
    code = "def add():\n    %s\nadd()\n" % body.rstrip()

    def work():
        one = create()
        run(one, code)
        destroy(one)

    _run([Thread(target=work) for _ in range(WORKERS)])


def nothing():
    """Do nothing: what is left is the cost of the launch."""


def launch_thread():
    """Start a thread and wait for its end."""
    _run([Thread(target=nothing)])


def launch_process():
    """Fork a process and wait for its end."""
    _run([get_context("fork").Process(target=nothing)])


def launch_subinterpreter():
    """Make a sub-interpreter and destroy it."""
    create, _, destroy = _interpreters()
    destroy(create())


WAYS = {"series": series, "threads": threads, "processes": processes}
LAUNCHES = {"thread": launch_thread, "process": launch_process}
if _interpreters():
    WAYS["subinterpreters"] = subinterpreters
    LAUNCHES["subinterpreter"] = launch_subinterpreter


def names():
    """Return the names of the ways to run the loop, and of the launches."""
    return list(WAYS), list(LAUNCHES)


def loop_seconds(way, steps):
    """Return the seconds of two loops by a way."""
    return _seconds(WAYS[way], steps)


def launch_seconds(what):
    """Return the seconds of a launch and join."""
    return _seconds(LAUNCHES[what])


def _seconds(call, *arguments):
    start = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - start
