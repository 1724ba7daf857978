"""Two threads, one object: which of its updates get lost?

Each race is a function that returns (what a thread runs so many times, a
function of how many times that returns what was lost: zero is right).
Stand-alone: runs under any Python from 3.6, with nothing installed.  Source:
Okuda, PyCon JP 2018, slides 9 to 11.
"""

import itertools
import sys
from collections import deque
from queue import Queue
from threading import Lock, Thread

THREADS = 2
x = 0
lock = Lock()


def one():
    """Return 1: a call."""
    return 1


class Box:
    """An object with a number in it."""

    number = 0


def add_global():
    """x += 1"""
    global x
    x = 0

    def run(me, steps):
        global x
        for _ in range(steps):
            x += 1

    return run, lambda total: total - x


def add_called():
    """x = x + one()"""
    global x
    x = 0

    def run(me, steps):
        global x
        for _ in range(steps):
            x = x + one()

    return run, lambda total: total - x


def add_attribute():
    """box.number += 1"""
    box = Box()

    def run(me, steps):
        for _ in range(steps):
            box.number += 1

    return run, lambda total: total - box.number


def add_item():
    """items[0] += 1"""
    items = [0]

    def run(me, steps):
        for _ in range(steps):
            items[0] += 1

    return run, lambda total: total - items[0]


def add_entry():
    """table["k"] += 1"""
    table = {"k": 0}

    def run(me, steps):
        for _ in range(steps):
            table["k"] += 1

    return run, lambda total: total - table["k"]


def read_then_write():
    """if k not in table: table[k] = me"""
    table, made = {}, [0] * THREADS

    def run(me, steps):
        for k in range(steps):
            if k not in table:
                table[k] = me
                made[me] += 1

    return run, lambda total: sum(made) - len(table)


def append():
    """items.append(k)"""
    items = []

    def run(me, steps):
        for k in range(steps):
            items.append(k)

    return run, lambda total: total - len(items)


def update():
    """table[k] = k, keys of one's own"""
    table = {}

    def run(me, steps):
        for k in range(steps):
            table[me * steps + k] = k

    return run, lambda total: total - len(table)


def set_default():
    """table.setdefault(k, me)"""
    table, made = {}, [0] * THREADS

    def run(me, steps):
        for k in range(steps):
            made[me] += table.setdefault(k, me) == me

    return run, lambda total: sum(made) - len(table)


def queued():
    """deque.append(k)"""
    items = deque()

    def run(me, steps):
        for k in range(steps):
            items.append(k)

    return run, lambda total: total - len(items)


def numbered():
    """next(itertools.count())"""
    numbers, drawn = itertools.count(), [[] for _ in range(THREADS)]

    def run(me, steps):
        for _ in range(steps):
            drawn[me].append(next(numbers))

    return run, lambda total: total - len(set().union(*drawn))


def with_lock():
    """with lock: x += 1"""
    global x
    x = 0

    def run(me, steps):
        global x
        for _ in range(steps):
            with lock:
                x += 1

    return run, lambda total: total - x


def own_sum():
    """a sum of one's own, and one lock"""
    global x
    x = 0

    def run(me, steps):
        global x
        own = 0
        for _ in range(steps):
            own += 1
        with lock:
            x += own

    return run, lambda total: total - x


def by_queue():
    """a queue.Queue of sums"""
    sums = Queue()

    def run(me, steps):
        own = 0
        for _ in range(steps):
            own += 1
        sums.put(own)

    return run, lambda total: total - sum(sums.queue)


RACES = {
    made.__doc__: made
    for made in (
        add_global, add_called, add_attribute, add_item, add_entry,
        read_then_write, append, update, set_default, queued, numbered,
    )
}  # fmt: skip
CURES = {made.__doc__: made for made in (with_lock, own_sum, by_queue)}


def names():
    """Return the names of the races, and of the cures."""
    return list(RACES), list(CURES)


def losses(name, steps, runs, interval=1e-6):
    """Run a race, or a cure, again and again; return what each run lost.

    name      one of RACES or CURES
    steps     of each thread in a run
    interval  seconds after which a thread with the GIL is asked to give way
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(interval)
    try:
        made = {**RACES, **CURES}[name]
        return [_race(made, steps) for _ in range(runs)]
    finally:
        sys.setswitchinterval(before)


def _race(made, steps):
    run, lost = made()
    ready = [False] * THREADS

    def work(me):
        # A thread that is woken comes late: all wait awake.
        ready[me] = True
        while not all(ready):
            pass
        run(me, steps)

    threads = [Thread(target=work, args=(me,)) for me in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return lost(THREADS * steps)
