"""Threads that hand work to a queue, by two stopwatches.

The queue is a stream of a GPU, or one thread that does what it is given in
order.  Source of the question: Okuda, PyCon JP 2018, slide 42, whose clock
may have stopped when the calls returned.
"""

import dataclasses
import functools
import hashlib
import itertools
import math
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from onthefly import machine, models, timings
from onthefly.quantity import Quantity
from onthefly.timings import Series, Timings

RETURNED, DONE = "calls returned", "work done"


def stopwatches(call, wait, threads, calls=10, rounds=12):
    """Time `calls` calls in each of N threads, by two stopwatches.

    call     hands one piece of work over
    wait     returns when all that was handed over is done
    threads  list of N

    Returns Timings with the series RETURNED and DONE against N: seconds of
    a sample, in which N·calls calls are made.
    """
    samples, watch = {}, machine.Bystanders()
    for turn, count in itertools.product(range(rounds + 1), threads):
        with ThreadPoolExecutor(count) as pool:
            found = _sample(pool, count, call, wait, calls)
        if turn:
            for name, seconds in zip((RETURNED, DONE), found, strict=True):
                samples.setdefault((name, count), []).append(seconds)
    others = watch.cores()
    return Timings(
        [
            Series(*key, values[0], tuple(values), others=others)
            for key, values in sorted(samples.items())
        ],
        os.cpu_count() or 1,
    )


def _sample(pool, count, call, wait, calls):
    """Return the seconds until the calls returned, and until all is done.

    The threads read the clock themselves: who waits for them may get the GIL
    too late to see them begin.
    """
    start = threading.Barrier(count)

    def job():
        start.wait()
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        return begin, time.perf_counter()

    wait()
    jobs = [pool.submit(job) for _ in range(count)]
    begins, ends = zip(*(one.result() for one in jobs), strict=True)
    wait()
    begin = min(begins)
    return max(ends) - begin, time.perf_counter() - begin


def gains(times):
    """Return {series: {N: Quantity}}: the calls of N threads over one's.

    times       seconds against N of threads that make the same calls each
    """
    return {
        name: {n: gain(times, name, n) for n in times.sizes(name)}
        for name in times.names
    }


def gain(times, name, threads):
    """Return N·t(1)/t(N): the calls done by N threads in the time of one."""
    one, many = (times.series(name, n).values for n in (1, threads))
    found = timings.ratio(one, many)
    return times.derived(found.linear(threads))


def beside(times, name, reference, threads):
    """Return the gain of a call as a share of a reference's, in rounds."""
    own, other = (
        [a / b for a, b in zip(times.series(k, 1).values,
                               times.series(k, threads).values, strict=True)]
        for k in (name, reference)
    )  # fmt: skip
    share = timings.ratio(own, other).linear(1, unit="%")
    busy = times.seconds(name, threads).contended
    return times.derived(dataclasses.replace(share, contended=busy))


def slopes(sizes, threads, rounds=12):
    """Return {(stopwatch, N): Fit of a sample's seconds against the work}.

    sizes    bytes that a call of `lane` has hashed
    threads  list of N
    """
    taken = {
        size: stopwatches(*lane(size), threads, rounds=rounds)
        for size in sizes
    }
    return {
        (name, n): models.line(
            sizes, [taken[size].seconds(name, n).value for size in sizes]
        )
        for name in (RETURNED, DONE)
        for n in threads
    }


def part(some, whole):
    """Return some / whole as a share, in the widest interval both allow."""
    high = some.high / whole.low if whole.low > 0 else math.inf
    return Quantity(
        some.value / whole.value, some.low / whole.high, high, "%"
    )


def lane(size=2**18):
    """Return (call, wait) of a queue that one thread works off, in order.

    A call hands over the hash of `size` bytes, which needs no GIL.
    """
    worker, data = ThreadPoolExecutor(1), bytes(size)
    work = functools.partial(hashlib.sha256, data)
    return (
        functools.partial(worker.submit, work),
        lambda: worker.submit(int).result(),
    )


def device_lane(shots):
    """Return (call, wait) of CuPy's count of hits, on the null stream."""
    import cupy

    from onthefly.kernels.pi_cupy import hits_cupy

    return (
        functools.partial(hits_cupy, shots),
        cupy.cuda.Device().synchronize,
    )
