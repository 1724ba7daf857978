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


WAYS = {"series": series, "threads": threads, "processes": processes}
if _interpreters():
    WAYS["subinterpreters"] = subinterpreters


def names():
    """Return the names of the ways to run the loop."""
    return list(WAYS)


def loop_seconds(way, steps):
    """Return the seconds of two loops by a way."""
    start = time.perf_counter()
    WAYS[way](steps)
    return time.perf_counter() - start
