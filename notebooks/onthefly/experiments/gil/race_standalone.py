"""Two threads, one number: does an update get lost?

Stand-alone: runs under any Python from 3.6, with nothing installed.  Source:
Okuda, PyCon JP 2018, slides 9 and 10.
"""

import time
from threading import Lock, Thread

g = 0
lock = Lock()


def one():
    """Return 1: a call, at which the interpreter may switch threads."""
    return 1


def add(steps):
    """Add 1 to the global, `steps` times."""
    global g
    for _ in range(steps):
        g += 1


def sub(steps):
    """Subtract 1 from the global, `steps` times."""
    global g
    for _ in range(steps):
        g -= 1


def add_call(steps):
    """Add 1 to the global, with a call between load and store."""
    global g
    for _ in range(steps):
        g = g + one()


def sub_call(steps):
    """Subtract 1 from the global, with a call between load and store."""
    global g
    for _ in range(steps):
        g = g - one()


def add_lock(steps):
    """Add 1 to the global, with a call, under the lock."""
    global g
    for _ in range(steps):
        with lock:
            g = g + one()


def sub_lock(steps):
    """Subtract 1 from the global, with a call, under the lock."""
    global g
    for _ in range(steps):
        with lock:
            g = g - one()


def race(up, down, steps):
    """Run `up` and `down` in two threads; return what the global lost.

    Zero is right: as many steps up as down.
    """
    global g
    g = 0
    threads = [Thread(target=f, args=(steps,)) for f in (up, down)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return g


VARIANTS = {
    "g += 1": (add, sub),
    "g = g + one()": (add_call, sub_call),
    "with a lock": (add_lock, sub_lock),
}


def repeat(up, down, steps, repeats, budget):
    """Race up to `repeats` times, or until `budget` seconds are over.

    Returns a dict: runs, lost (runs that did not end at zero), worst (the
    largest distance from zero), seconds (of one run, on average).
    """
    ends = []
    start = time.perf_counter()
    while len(ends) < repeats:
        ends.append(race(up, down, steps))
        if time.perf_counter() - start > budget:
            break
    taken = time.perf_counter() - start
    return {
        "runs": len(ends),
        "lost": sum(end != 0 for end in ends),
        "worst": max(abs(end) for end in ends),
        "seconds": taken / len(ends),
    }


def repeat_all(steps, repeats, budget):
    """Repeat every variant; return {name: what `repeat` returns}."""
    found = {}
    for name, (up, down) in VARIANTS.items():
        # A lock costs far more than a step, and its outcome is certain.
        size = steps // 10 if "lock" in name else steps
        found[name] = repeat(up, down, size, repeats, budget)
    return found
