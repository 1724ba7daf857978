"""The same counting loop in series, threads, processes, sub-interpreters.

Stand-alone: runs under any Python from 3.6, with nothing installed::

    python speed_standalone.py --steps 1000000 --rounds 9 --budget 5

and prints one JSON object with the seconds of every round.
Source: Okuda, PyCon JP 2018, slides 7 and 8.
"""

import argparse
import json
import random
import sys
import sysconfig
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


def launch_subinterpreter():
    """Make a sub-interpreter and destroy it."""
    create, _, destroy = _interpreters()
    destroy(create())


def launches(samples=15):
    """Return {what: seconds of each launch and join}, taken in turn."""
    new = get_context("fork").Process
    ways = {
        "thread": lambda: _run([Thread(target=nothing)]),
        "process": lambda: _run([new(target=nothing)]),
    }
    if _interpreters():
        ways["subinterpreter"] = launch_subinterpreter
    seconds = {name: [] for name in ways}
    for _ in range(samples):
        for name, way in ways.items():
            begin = time.perf_counter()
            way()
            seconds[name].append(time.perf_counter() - begin)
    return seconds


def main():
    """Time every way in interleaved rounds and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=10**6)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--budget", type=float, default=5.0)
    options = parser.parse_args()
    ways = {"series": series, "threads": threads, "processes": processes}
    if _interpreters():
        ways["subinterpreters"] = subinterpreters
    samples = {name: [] for name in ways}
    cpu = {name: [] for name in ways}
    order = list(ways)
    for way in ways.values():
        way(1000)  # first calls load modules
    start = time.perf_counter()
    for done in range(options.rounds):
        # Six rounds are the fewest that give a median an interval.
        if done > 5 and time.perf_counter() - start > options.budget:
            break
        random.shuffle(order)
        for name in order:
            used, begin = time.process_time(), time.perf_counter()
            ways[name](options.steps)
            samples[name].append(time.perf_counter() - begin)
            cpu[name].append(time.process_time() - used)
    launch_seconds = launches()
    gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(
        json.dumps(
            {
                "version": "%d.%d.%d" % sys.version_info[:3],
                "free_threaded": bool(
                    sysconfig.get_config_var("Py_GIL_DISABLED")
                ),
                "gil": gil,
                "steps": options.steps,
                "seconds": samples,
                "cpu_seconds": cpu,
                "launch_seconds": launch_seconds,
            }
        )
    )


if __name__ == "__main__":
    main()
