"""What several threads need: objects of their own, and calls made at once."""

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

    def at_once():
        jobs = [pool.submit(call) for _ in range(threads)]
        return [job.result() for job in jobs]

    return at_once
