"""Which of several threads' kernels ran at the same time.

Every thread spins once in each round and reports the clock's readings at
both ends.  Timings hold them: of each way two series, "<way>, begin" and
"<way>, end", in seconds after the round's first begin, against the kernel's
place in the order of begins, from 1.
"""

import functools
import itertools
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from onthefly import machine, timings
from onthefly.quantity import Quantity
from onthefly.timings import Series, Timings

COMMON = 0.5  # of the shorter span: what two must share to run "at once"
ROUNDS = 12


def timeline(ways, threads, rounds=ROUNDS):
    """Run each way in `threads` threads at once; return the Timings.

    ways  {name: function of the thread, from 0, that returns (begin, end, …)
          in ns once its kernel is done}
    """
    samples, watch = {}, machine.Bystanders()
    with ThreadPoolExecutor(threads) as pool:
        start = threading.Barrier(threads)
        for turn, (way, job) in itertools.product(
            range(rounds + 1), ways.items()
        ):
            run = functools.partial(_begin_together, start, job)
            found = sorted(pool.map(run, range(threads)))
            if turn:  # the first round compiles, loads and allocates
                _keep(samples, way, np.array(found, float))
    others, cores = watch.cores(), os.cpu_count() or 1
    return Timings(
        [
            Series(*key, values[0], tuple(values), others=others)
            for key, values in samples.items()
        ],
        cores,
    )


def _begin_together(start, job, thread):
    start.wait()
    return job(thread)[:2]


def _keep(samples, way, spans):
    """Add a round's (begin, end), in ns and in order, to the samples."""
    spans = (spans - spans[0, 0]) * 1e-9
    for k, span in enumerate(spans, 1):
        for end, seconds in zip(("begin", "end"), span, strict=True):
            # pyperf, which keeps them, wants no zeros
            key = f"{way}, {end}", k
            samples.setdefault(key, []).append(max(seconds, 1e-9))


def ways_of(times):
    """Return the ways in a timeline."""
    return list(dict.fromkeys(n.rsplit(", ", 1)[0] for n in times.names))


def spans_of(times, way):
    """Return arrays of begins and ends: a row a round, a column a kernel."""
    return tuple(
        np.array(
            [
                times.series(f"{way}, {end}", k).values
                for k in times.sizes(f"{way}, {end}")
            ]
        ).T
        for end in ("begin", "end")
    )


def overlapping(begins, ends):
    """Count the pairs of spans that ran at once; return (those, all)."""
    hits = pairs = 0
    for (a, b), (c, d) in itertools.combinations(
        zip(begins, ends, strict=True), 2
    ):
        common = min(b, d) - max(a, c)
        hits += common >= COMMON * min(b - a, d - c)
        pairs += 1
    return int(hits), pairs


def at_once(times, way):
    """Return the share of pairs of kernels that ran at once."""
    found = [overlapping(*span) for span in zip(*spans_of(times, way),
                                                strict=True)]  # fmt: skip
    hits, pairs = map(sum, zip(*found, strict=True))
    return times.derived(Quantity.share(hits, pairs))


def length(times, way):
    """Return how many kernels' times all of them took, from end to end."""
    begins, ends = spans_of(times, way)
    whole = ends.max(axis=1) - begins.min(axis=1)
    one = np.median(ends - begins, axis=1)
    return times.derived(timings.ratio(whole, one))


def bars(times):
    """Return what ``figures.spans`` draws: (way, kernel, begin, end)."""
    return [
        (
            f"{way}, {k}",
            way,
            times.seconds(f"{way}, begin", k),
            times.seconds(f"{way}, end", k),
        )
        for way in ways_of(times)
        for k in times.sizes(f"{way}, begin")
    ]
