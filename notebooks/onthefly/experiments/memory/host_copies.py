"""Copies within the host, in a process whose C library has settings.

`ask` runs a job of `JOBS` in a new process, whose memory nobody has used, and
whose environment may hold `GLIBC_TUNABLES`.

Source of the question: Okuda, PyCon JP 2018, slide 32.
"""

import json
import resource
import sys
import time

import numpy as np

from onthefly.tools import processes

PAGE = 4096
SAMPLE = 4e-4  # seconds that a sample lasts at least


def _faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def _time(call, loops):
    start = time.perf_counter()
    for _ in range(loops):
        call()
    return (time.perf_counter() - start) / loops


def _rounds(calls, budget):
    """Return {name: {"seconds": [...], "faults": of a call}}.

    In rounds, six at least, until the budget (in seconds) is spent.
    """
    found, loops = {}, {}
    for name, call in calls.items():
        first = _time(call, 2)  # the allocator learns from what is freed
        loops[name] = 1 + int(SAMPLE / first)
        before = _faults()
        call()
        found[name] = {"seconds": [], "faults": _faults() - before}
    end = time.perf_counter() + budget
    for done in range(60):
        if done >= 6 and time.perf_counter() > end:
            break
        for name, call in calls.items():
            found[name]["seconds"].append(_time(call, loops[name]))
    return found


def _at(start, size):
    """Return an array that begins so many bytes past a page's start."""
    room = np.ones(size + 2 * PAGE, np.uint8)
    skip = (start - room.ctypes.data) % PAGE
    return room[skip : skip + size]


def arrays(size, distance):
    """Return two arrays whose places in a page differ by `distance` bytes.

    Each has `size` bytes, and its pages are there.
    """
    return _at(PAGE // 2, size), _at(PAGE // 2 + distance, size)


def _copier(size, distance):
    source, target = arrays(size, distance)
    return lambda: np.copyto(target, source)


def sweep(sizes, budget):
    """Time copies of `sizes` bytes, in the order given.

    "fresh" makes the array that it writes to, "used" writes to one that was
    written before.  Returns what `_rounds` does, by "<way> <size>".
    """
    calls = {}
    for size in sizes:
        calls[f"fresh {size}"] = _at(0, size).copy
        calls[f"used {size}"] = _copier(size, 256)
    return _rounds(calls, budget)


def shifted(size, distances, budget):
    """Time copies whose target lies past the source by so many bytes.

    The distance counts modulo a page: it is that of the last twelve bits of
    the two addresses.  Returns what `_rounds` does, by "<distance>".
    """
    return _rounds({str(d): _copier(size, d) for d in distances}, budget)


def neighbours(sizes):
    """Return {size: how far apart in a page two new arrays lie}."""
    found = {}
    for size in sizes:
        a, b = np.empty(size, np.uint8), np.empty(size, np.uint8)
        found[str(size)] = (b.ctypes.data - a.ctypes.data) % PAGE
    return found


JOBS = {"sweep": sweep, "shifted": shifted, "neighbours": neighbours}


def ask(job, environment=None, **arguments):
    """Run a job of `JOBS` in a process with these variables as well.

    Returns what the job does.  Raises RuntimeError where the process fails.
    """
    return processes.answer(__name__, job, arguments, environment=environment)


if __name__ == "__main__":
    job, arguments = json.loads(sys.argv[1])
    print(json.dumps(JOBS[job](**arguments)))
