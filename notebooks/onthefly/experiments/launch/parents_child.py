"""A parent: it holds what it is told to, and launches others.

Started by `parents`.  It loads as little as it can: what it holds decides
what a fork costs.
"""

import os
import pickle
import time
from multiprocessing import get_context

LEAST = 5e-3  # seconds that a sample lasts at least
_held = []


def hold(work):
    """Call a function and keep what it returns; `work`: it and arguments."""
    function, arguments = pickle.loads(work)
    _held.append(function(*arguments))


def fork():
    """Start a process that ends at once, and wait for its end."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def process(method):
    """Do the same by `multiprocessing`, in one of its three ways."""
    child = get_context(method).Process(target=nothing)
    child.start()
    child.join()


def nothing():
    """Do nothing: what is left is the launch."""


def thread():
    """Start a thread that does nothing, and wait for its end."""
    from threading import Thread

    worker = Thread(target=nothing)
    worker.start()
    worker.join()


LAUNCHES = {"os.fork": (fork,), "thread": (thread,)} | {
    method: (process, method) for method in ("fork", "forkserver", "spawn")
}


def seconds(name):
    """Return the seconds of one of the LAUNCHES: a mean over some."""
    launch, *arguments = LAUNCHES[name]
    calls, start = 0, time.perf_counter()
    while (taken := time.perf_counter() - start) < LEAST:
        launch(*arguments)
        calls += 1
    return taken / calls


def write_again():
    """Fork; then write to all that is held.  Return seconds, page faults."""
    from resource import RUSAGE_SELF, getrusage

    fork()
    before, start = getrusage(RUSAGE_SELF).ru_minflt, time.perf_counter()
    for memory in _held:
        memory[::4096] = b"2" * (len(memory) // 4096)
    taken = time.perf_counter() - start
    return taken, getrusage(RUSAGE_SELF).ru_minflt - before


def counts():
    """Count what a fork may have to copy (Linux).

    A dict: entries, the pages that are this process's own, one of 2 MiB
    counted once; mappings, its stretches of memory; page tables, their bytes.
    """
    totals = {"entries": 0, "mappings": 0}
    with open("/proc/self/smaps") as file:
        facts = [line.split()[:2] for line in file]
    for name, value in facts:
        if name == "Rss:":
            resident = int(value)
        elif name == "Anonymous:":
            totals["mappings"] += 1
            own = resident if int(value) else 0
        elif name == "AnonHugePages:":
            huge = int(value)
            totals["entries"] += (
                (own - huge) // 4 + huge // 2048 if own else 0
            )
    with open("/proc/self/status") as file:
        (tables,) = [t.split()[1] for t in file if t.startswith("VmPTE")]
    return totals | {"page tables": 1024 * int(tables)}
