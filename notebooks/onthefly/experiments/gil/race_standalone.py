"""Two threads, one number: does an update get lost, and where?

An update is a text with ± in the place of its sign, as ``g ±= 1``: one
thread runs it with plus, another with minus, as often.  Stand-alone: runs
under any Python from 3.6, with nothing installed.  Source: Okuda, PyCon JP
2018, slides 9 to 11.
"""

import contextlib
import dis
import functools
import random
import statistics
import sys
import time
from bisect import bisect
from collections import Counter
from threading import Event, Lock, Thread

LOOP = """
def loop(steps):
    global g
    for _ in range(steps):
        {}
"""
g = 0
lock = Lock()
items = [1]


def one():
    """Return 1: a call."""
    return 1


class Box:
    """An object with the number 1 in it, plain and behind a function."""

    plain = 1

    @property
    def behind(self):
        """Return 1."""
        return 1

    def __radd__(self, left):
        return left + 1

    def __rsub__(self, left):
        return left - 1


box = Box()


def spelled(update, sign="+"):
    """Return a function that runs an update so often as it is told.

    update  text with ± for the sign; it changes the global g
    """
    exec(LOOP.format(update.replace("±", sign)), globals())
    return globals().pop("loop")


def pair(update):
    """Return an update's two functions: up and down."""
    return spelled(update, "+"), spelled(update, "-")


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


def sweep(run, lengths, rounds, interval=None, seed=0):
    """Race at several lengths, in rounds and random order.

    run       an update, or a function of a number of steps that returns what
              got lost; None of it is right
    lengths   numbers of steps
    interval  the switch interval, in seconds; by default the interpreter's

    Returns {steps: {"ends": what got lost, "seconds": of the run}}, a list
    of each, a value a round.
    """
    call = functools.partial(race, *pair(run)) if type(run) is str else run
    by_length = {n: {"ends": [], "seconds": []} for n in lengths}
    order, shuffle = list(by_length), random.Random(seed).shuffle
    with switching(interval or sys.getswitchinterval()):
        for _ in range(rounds):
            shuffle(order)
            for steps in order:
                start = time.perf_counter()
                by_length[steps]["ends"].append(call(steps))
                taken = time.perf_counter() - start
                by_length[steps]["seconds"].append(taken)
    return by_length


def pace(run, steps=50000, tries=9):
    """Return the seconds of a step: the median of some runs.

    run  as in `sweep`
    """
    taken = sweep(run, [steps], tries)[steps]["seconds"]
    return statistics.median(taken) / steps


@contextlib.contextmanager
def switching(interval):
    """Set the switch interval, in seconds, and set it back at the end."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(interval)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


# --- slices ----------------------------------------------------------------


def slices(turns, interval=None):
    """Return the seconds for which each of two threads runs at a stretch.

    turns     how many stretches
    interval  as in `sweep`

    Both look in a loop whether the other ran last, and then note the time.
    The first stretch is left out, as its thread began alone.
    """
    began, last = [], [None]

    def look(me):
        while len(began) < turns + 2:
            if last[0] != me:
                last[0] = me
                began.append(time.perf_counter())

    threads = [Thread(target=look, args=(me,)) for me in range(2)]
    with switching(interval or sys.getswitchinterval()):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return [b - a for a, b in zip(began[1:], began[2:])]


def a_slice(turns=3):
    """Return the median of some `slices`."""
    return statistics.median(slices(turns))


# --- where a thread gives way ----------------------------------------------


def instructions(function):
    """Return [(offset, text, whether inside)] of a function's bytecode.

    Inside is from the first load of g up to its store, less the store: who
    gives way after one of these has an old value of g.
    """
    listed = list(dis.get_instructions(function))
    mine = [k for k, i in enumerate(listed) if i.argval == "g"]
    return [
        (
            i.offset,
            ("%s %s" % (i.opname, i.argrepr)).strip(),
            mine[0] <= k < mine[-1],
        )
        for k, i in enumerate(listed)
    ]


def steps(update):
    """Return the texts of an update's instructions, from load to store."""
    listed = instructions(spelled(update))
    inside = [k for k, (_, _, inside) in enumerate(listed) if inside]
    return [text for _, text, _ in listed[inside[0] : inside[-1] + 2]]


def standing(thread, code):
    """Return the offset of the instruction after which a thread stands.

    code  of the function that runs there; -1 where it does not
    """
    frame = sys._current_frames().get(thread.ident)
    while frame and frame.f_code is not code:
        frame = frame.f_back  # from a call within the function
    return frame.f_lasti if frame else -1


def stops(update, looks, interval=1e-5):
    """Count after which instruction of its loop an update gives way.

    looks     how often the thread that runs it is interrupted
    interval  the switch interval meanwhile, in seconds

    Returns [{"instruction", "inside", "stops"}] for the whole loop.
    """
    loop, done, counts = spelled(update), Event(), Counter()
    listed = instructions(loop)
    starts = [offset for offset, _, _ in listed]

    def work():
        while not done.is_set():
            loop(100000)

    worker = Thread(target=work)
    with switching(interval):
        worker.start()
        for _ in range(looks):
            time.sleep(interval)  # and then ask for the GIL
            offset = standing(worker, loop.__code__)
            if offset >= 0:
                counts[bisect(starts, offset) - 1] += 1
        done.set()
        worker.join()
    return [
        {"instruction": text, "inside": inside, "stops": counts[k]}
        for k, (_, text, inside) in enumerate(listed)
    ]


# --- a switch that is forced -----------------------------------------------


@contextlib.contextmanager
def traced(watch):
    """Let `watch` see what this thread executes, as sys.settrace says."""
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        yield
    finally:
        sys.settrace(before)


def cut(update, offset):
    """Run an update twice; in the second, let another thread run it, too.

    offset  of the instruction in the bytecode before which the other runs

    Returns what g has become: 3, or 2 where one of the three is lost.  From
    Python 3.7 on.  Raises RuntimeError where the other did not run.
    """
    global g
    g, loop, others = 0, spelled(update), []

    def watch(frame, event, _):
        if frame.f_code is not loop.__code__:
            return None
        frame.f_trace_opcodes = True  # 3.12 heeds it from the next round on
        if frame.f_lasti == offset and g >= 1 and not others:
            others.append(Thread(target=loop, args=(1,)))
            others[0].start()
            others[0].join()
        return watch

    with traced(watch):
        loop(2)
    if not others:
        raise RuntimeError("no cut at %d" % offset)
    return g


def cuts(update):
    """Cut an update before each instruction from its first load on.

    Returns [{"before", "inside", "left"}]: inside, whether between load and
    store, and left, what three updates have made of 0.
    """
    listed = instructions(spelled(update))
    first = min(k for k, (_, _, inside) in enumerate(listed) if inside)
    last = max(k for k, (_, _, inside) in enumerate(listed) if inside) + 2
    before = [inside for _, _, inside in listed]
    return [
        {
            "before": listed[k][1],
            "inside": before[k - 1],
            "left": cut(update, listed[k][0]),
        }
        for k in range(first, last + 1)
    ]
