"""Threads that hand work to a queue, by two stopwatches.

The queue is a stream of a GPU, or one thread that does what it is given in
order.  Source of the question: Okuda, PyCon JP 2018, slide 42, whose clock
may have stopped when the calls returned.
"""

import functools
import hashlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from onthefly.measure.clock import sample

RETURNED, DONE = "calls returned", "work done"


def stopwatches(call, wait, threads, calls=10, **how):
    """Time `calls` calls in each of N threads, by two stopwatches.

    call     hands one piece of work over
    wait     returns when all that was handed over is done
    threads  list of N
    how      goes to ``clock.sample``

    Returns Timings with the series RETURNED and DONE against N: seconds of
    a sample, in which N·calls calls are made.
    """

    def both(count):
        with ThreadPoolExecutor(count) as pool:
            sample = _sample(pool, count, call, wait, calls)
        return dict(zip((RETURNED, DONE), sample, strict=True))

    return sample({"both": both}, sizes=threads, **how)


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
    return threads * _gained(times, name, threads)


def _gained(times, name, threads):
    return times.seconds(name, 1) / times.seconds(name, threads)


def beside(times, name, reference, threads):
    """Return the gain of a call as a share of a reference's, in rounds."""
    own, other = (_gained(times, k, threads) for k in (name, reference))
    return (own / other).named("%")


def rate(times, name, threads, pieces=1):
    """Return the pieces of work that N threads hand over in a second.

    times    seconds against N of threads that make one call each
    pieces   that one call hands over

    A Quantity in thousands a second.
    """
    handed = 1e-3 * threads * pieces
    return (handed / times.seconds(name, threads)).named("thousand a second")


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

    from onthefly.kernels.pi.pi_cupy import hits_cupy

    return (
        functools.partial(hits_cupy, shots),
        cupy.cuda.Device().synchronize,
    )
