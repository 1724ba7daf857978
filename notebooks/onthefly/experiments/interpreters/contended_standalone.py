"""Objects that several threads touch: what a step costs, own and shared.

Stand-alone: runs under any Python from 3.6, with nothing installed.
"""

import time
from threading import Barrier, Lock, Thread


class Thing:
    """An object with a number in it, and a lock to guard it."""

    def __init__(self):
        self.count, self.lock = 0, Lock()


def read(thing, steps):
    """Read an attribute: its object is counted as used, each time."""
    for _ in range(steps):
        thing.count


def call(work, steps):
    """Call a function that does nothing."""
    for _ in range(steps):
        work()


def append(items, steps):
    """Append to a list."""
    add = items.append
    for k in range(steps):
        add(k)


def store(table, steps):
    """Write an item of a dict."""
    for k in range(steps):
        table[k & 255] = k


def guarded(thing, steps):
    """Add 1 under a lock."""
    lock = thing.lock
    for _ in range(steps):
        with lock:
            thing.count += 1


def nothing():
    """Do nothing."""


OBJECTS = {
    "a function, called": (lambda: nothing, call),
    "an object, read": (Thing, read),
    "a list, appended to": (list, append),
    "a dict, written": (dict, store),
    "a counter with a lock": (Thing, guarded),
}


def names():
    """Return the names of the objects."""
    return list(OBJECTS)


def seconds(name, shared, threads, steps):
    """Return the seconds of `threads`, each with `steps` steps.

    name    one of OBJECTS
    shared  whether all have one object, or each one of its own
    """
    make, work = OBJECTS[name]
    one = make()
    ready = Barrier(threads + 1)

    def run():
        mine = one if shared else make()
        ready.wait()
        work(mine, steps)

    workers = [Thread(target=run) for _ in range(threads)]
    for worker in workers:
        worker.start()
    ready.wait()
    start = time.perf_counter()
    for worker in workers:
        worker.join()
    return time.perf_counter() - start
