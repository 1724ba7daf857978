"""What several threads need: objects of their own, and calls made at once."""

import itertools
import os
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


def pool(threads, tied=False):
    """Return a ThreadPoolExecutor whose threads have all started.

    tied  whether each keeps to one core, in turn; where the system does not
          tie threads, they are free
    """
    gate = threading.Barrier(threads)
    usable = getattr(os, "sched_getaffinity", lambda _: ())(0)
    cores = itertools.cycle(sorted(usable) if tied and usable else [None])

    def tie():
        core = next(cores)
        if core is not None:
            os.sched_setaffinity(0, {core})

    started = ThreadPoolExecutor(threads, initializer=tie)
    list(started.map(lambda _: gate.wait(), range(threads)))
    return started


def together(call, threads):
    """Return a function that makes a call in each of `threads` threads.

    It returns the list of their results, once all are done.
    """
    workers = ThreadPoolExecutor(threads)

    def at_once():
        jobs = [workers.submit(call) for _ in range(threads)]
        return [job.result() for job in jobs]

    return at_once
