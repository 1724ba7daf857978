"""A counting loop: CPU-bound, and nothing else.  Source: Okuda, PyCon JP
2018, slide 7.  Worker processes import this module, so it imports little."""

import threading
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from threading import Thread


def add(steps):
    """Add 1 `steps` times and return the sum."""
    total = 0
    for _ in range(steps):
        total += 1
    return total


def series(steps, workers=2):
    """Run `add` once for each of `workers`, one after the other."""
    for _ in range(workers):
        add(steps)


def threads(steps, workers=2):
    """Run `add` in so many threads and wait for all."""
    run_all([Thread(target=add, args=(steps,)) for _ in range(workers)])


def run_all(workers):
    """Start threads or processes, then wait until all have ended.

    Raises what ended a thread, or RuntimeError where a process failed: a
    failure is fast, and would pass for speed.
    """
    errors = []
    with _collected(errors):
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    if errors:
        raise errors[0]
    if failed := [w for w in workers if getattr(w, "exitcode", 0)]:
        raise RuntimeError(f"{len(failed)} of {len(workers)} workers failed")


@contextmanager
def _collected(errors):
    """Put what ends a thread into a list, instead of printing it."""
    before = threading.excepthook
    threading.excepthook = lambda ended: errors.append(ended.exc_value)
    try:
        yield
    finally:
        threading.excepthook = before


def process_pool(workers):
    """Return a pool of processes, forked from this one, that have started."""
    pool = ProcessPoolExecutor(workers, mp_context=get_context("fork"))
    pool.submit(add, 1).result()  # a pool forks all of them at once
    return pool
