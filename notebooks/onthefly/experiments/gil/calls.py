"""What the calls of the chapter on threads and nogil stand on: objects that
a thread has for itself, and calls made by several threads at once."""

import dis
import threading
from concurrent.futures import ThreadPoolExecutor

_mine = threading.local()


def own(make, size):
    """Return this thread's own object, made by its first call.

    make  function of a size; one object is kept of each function and size
    """
    kept = _mine.__dict__
    if (make, size) not in kept:
        kept[make, size] = make(size)
    return kept[make, size]


def together(call, threads):
    """Return a function that makes a call in each of `threads` threads.

    It returns the list of their results, once all are done.
    """
    pool = ThreadPoolExecutor(threads)

    def both():
        jobs = [pool.submit(call) for _ in range(threads)]
        return [job.result() for job in jobs]

    return both


def tally(bins, which):
    """Add one to a bin for each number of `which`; returns None."""
    for k in which:
        bins[k] += 1


def adds_and_stores(function):
    """Return the instructions by which a counting loop adds and stores."""
    steps = list(dis.get_instructions(function))
    add = [i for i in steps if i.opname.startswith(("BINARY_", "INPLACE_"))]
    store = [i for i in steps if i.opname.startswith("STORE_")]
    return f"{add[-1].opname} {add[-1].argrepr}".strip(), store[-1].opname
