"""Which of several threads' kernels ran at the same time.

Every thread spins once in each round and reports the clock's readings at
both ends.  Timings hold them: of each way two series, "<way>, begin" and
"<way>, end", in seconds after the round's first begin, against the kernel's
place in the order of begins, from 1.
"""

import functools
import itertools
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from onthefly.kernels.spin import spin_raw
from onthefly.measure.clock import sample
from onthefly.measure.quantity import Quantity

COMMON = 0.5  # of the shorter span: what two must share to run "at once"


def timeline(ways, threads, **how):
    """Run each way in `threads` threads at once; return the Timings.

    ways  {name: function of the thread, from 0, that returns (begin, end, …)
          in ns once its kernel is done}
    how   goes to ``clock.sample``
    """
    with ThreadPoolExecutor(threads) as pool:
        start = threading.Barrier(threads)

        def spans(way, job):
            run = functools.partial(_begin_together, start, job)
            spans_seen = sorted(pool.map(run, range(threads)))
            return _seconds(way, np.array(spans_seen, float))

        return sample(
            {k: functools.partial(spans, k, job) for k, job in ways.items()},
            **how,
        )


def on_processor(seconds, threads, **how):
    """Run ``spin_raw``'s kernel on the processor; return the Timings.

    seconds  that a kernel spins; longer than a turn on a core
    threads  that start one each, with the GIL held and with it released
    how      goes to ``clock.sample``

    Raises CalledProcessError where the compiler refuses the kernel.
    """

    def spun(kernel):
        return lambda _: kernel(seconds)

    ways = {way: spun(kernel) for way, kernel in spin_raw.calls().items()}
    return timeline(ways, threads, **how)


def _begin_together(start, job, thread):
    start.wait()
    return job(thread)[:2]


def _seconds(way, spans):
    """Return {(series, place): seconds} of a round's (begin, end), in ns.

    The spans are in the order of their begins.
    """
    spans = (spans - spans[0, 0]) * 1e-9
    return {
        # pyperf, which keeps them, wants no zeros
        (f"{way}, {end}", k): max(seconds, 1e-9)
        for k, span in enumerate(spans, 1)
        for end, seconds in zip(("begin", "end"), span, strict=True)
    }


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
    overlaps = [overlapping(*span) for span in zip(*spans_of(times, way),
                                                strict=True)]  # fmt: skip
    hits, pairs = map(sum, zip(*overlaps, strict=True))
    return times.derived(Quantity.share(hits, pairs))


def length(times, way):
    """Return how many kernels' times all of them took, from end to end."""
    begins, ends = spans_of(times, way)
    whole = ends.max(axis=1) - begins.min(axis=1)
    one = np.median(ends - begins, axis=1)
    return times.derived(Quantity.median(whole / one, "×"))


def told(times):
    """Return {way: (share of pairs at once, length in kernels' times)}."""
    return {
        way: (at_once(times, way), length(times, way))
        for way in ways_of(times)
    }


def worded(overlaps):
    """Return what `told` returned as a text, for those who see no figure."""
    return "; ".join(
        f"{way}: {share.short} of pairs at once, {whole.short} a kernel's "
        "time"
        for way, (share, whole) in overlaps.items()
    )


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
