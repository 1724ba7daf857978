"""A process with parallel loops of its own: the program of `teams`."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from onthefly import clock
from onthefly.experiments.numba import parallel
from onthefly.experiments.numba.rested import settle
from onthefly.kernels import split
from onthefly.kernels.pi_numba import hits_numba
from onthefly.kernels.pi_numba_parallel import hits_parallel


def at_work():
    """Return how many threads share a parallel loop here."""
    who = np.zeros(1000, np.uintp)
    parallel.sign(who)
    return len(set(who.tolist()))


def burnt(pause):
    """Return the processor seconds of a pause behind a parallel loop.

    pause  seconds for which this process does nothing
    """
    hits_parallel(1000)
    before = time.process_time()
    time.sleep(pause)
    return time.process_time() - before


def beside(shots, threads):
    """Return the seconds of a pool at rest, and right behind a loop.

    shots    shared by the pool's threads
    threads  of the pool, which has started them before
    """
    with ThreadPoolExecutor(threads) as pool:

        def pooled():
            return sum(pool.map(hits_numba, split(shots, threads)))

        pooled()
        hits_parallel(1000)
        settle()
        alone = clock.seconds(pooled)
        hits_parallel(1000)
        return {"at rest": alone, "behind a loop": clock.seconds(pooled)}


def _at_once(outer, inner, task):
    """Return task() of so many threads, each with loops of `inner`."""
    gate = threading.Barrier(outer)

    def one(_):
        numba.set_num_threads(inner)  # holds for this thread
        gate.wait()
        return task()

    with ThreadPoolExecutor(outer) as pool:
        return list(pool.map(one, range(outer)))


def crowd(outer, inner):
    """Return how many threads work where a pool's threads run loops.

    outer  threads of the pool, each of which runs a parallel loop
    inner  threads that each loop may use
    """

    def signed():
        who = np.zeros(10_000, np.uintp)
        gone = time.monotonic() + 0.02
        found = set()
        while time.monotonic() < gone:  # so that all loops overlap
            parallel.sign(who)
            found |= set(who.tolist())
        return found

    return len(set().union(*_at_once(outer, inner, signed)))


def crowd_seconds(shots, calls, outer, inner):
    """Return the seconds of parallel loops within a pool.

    shots  of a loop
    calls  of the loop, shared by the pool's threads
    """

    def share():
        for _ in range(calls // outer):
            hits_parallel(shots)

    share_all = _at_once
    share_all(outer, inner, lambda: hits_parallel(1000))
    settle()
    return clock.seconds(share_all, outer, inner, share)
