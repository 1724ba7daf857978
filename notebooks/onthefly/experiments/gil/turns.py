"""When does a loop run, and when does it wait?

Two loops look at the clock as often as they can.  Where one sees it jump, it
has waited, and the stretch in between was a turn.
"""

import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from onthefly.measure.quantity import Quantity
from onthefly.tools import threads

PAUSE = 1e-3  # seconds between two looks: longer is a wait


def turns(until):
    """Look at the clock until then; return [start, end] of each turn."""
    spans, last = [], 0.0
    while (now := time.perf_counter()) < until:
        if now - last > PAUSE:
            spans.append([now, now])
        spans[-1][1] = last = now
    return spans


def two(pool, seconds):
    """Return the turns of two workers of a pool, in so many seconds."""
    until = time.perf_counter() + seconds
    return list(pool.map(turns, [until, until]))


def watch(seconds=0.08):
    """Return {worker: turns} of two threads, and of two processes."""
    turns_of = {}
    with threads.pool(2) as pool:
        turns_of["thread 1"], turns_of["thread 2"] = two(pool, seconds)
    with ProcessPoolExecutor(2, get_context("fork")) as pool:
        two(pool, seconds)  # both have started
        turns_of["process 1"], turns_of["process 2"] = two(pool, seconds)
    return turns_of


def spans(turns_of):
    """Return the turns that `watch` found, as `figures.spans` draws them.

    Each kind of worker counts its seconds from its own start.
    """
    kinds = {name: name.split()[0] for name in turns_of}
    begin = {
        kind: min(
            turns_of[name][0][0] for name in turns_of if kinds[name] == kind
        )
        for kind in kinds.values()
    }
    return [
        (name, kinds[name], *(_since(begin[kinds[name]], t) for t in turn))
        for name, own in turns_of.items()
        for turn in own
    ]


def _since(begin, moment):
    return Quantity.exact(moment - begin, "s")


def at_once(turns_of, kind):
    """Return in which share of the time both workers of a kind had a turn."""
    one, other = (own for name, own in turns_of.items() if kind in name)
    ends = [end for own in (one, other) for turn in own for end in turn]
    both = sum(
        max(0.0, min(a[1], b[1]) - max(a[0], b[0]))
        for a in one
        for b in other
    )
    return Quantity.exact(both / (max(ends) - min(ends)), "%")


def length(milliseconds, number=8):
    """Return the seconds of a turn of two threads, the median of some.

    milliseconds  the switch interval that is set meanwhile
    number        turns that the trial lasts, should each take that long

    The first and the last turn of a thread are cut, and left out.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(milliseconds / 1000)
    try:
        with threads.pool(2) as pool:
            pair = two(pool, number * milliseconds / 1000)
    finally:
        sys.setswitchinterval(before)
    pair = [[b - a for a, b in own if b > a] for own in pair]
    whole = [turn for own in pair for turn in own[1:-1]]
    return statistics.median(whole or [max(own) for own in pair if own])
