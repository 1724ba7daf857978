"""A process with parallel loops of its own: the program of `teams`."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from onthefly.experiments.numba import parallel
from onthefly.experiments.numba.rested import settle
from onthefly.kernels import split
from onthefly.kernels.pi.pi_numba import hits_numba
from onthefly.kernels.pi.pi_numba_parallel import hits_parallel
from onthefly.measure import clock
from onthefly.tools import threads


def at_work(callers=1):
    """Return how many threads work where so many run a parallel loop.

    callers  threads of Python that begin the loop at once
    """
    parallel.sign(np.zeros(1, np.uintp))  # compile
    gate = threading.Barrier(callers)

    def signed(_):
        signatures, who = set(), np.zeros(10_000, np.uintp)
        gate.wait()
        end = time.monotonic() + 0.05  # so long that all overlap
        while time.monotonic() < end:
            parallel.sign(who)
            signatures |= set(who.tolist())
        return signatures

    if callers == 1:
        return len(signed(0))
    with ThreadPoolExecutor(callers) as pool:
        return len(set().union(*pool.map(signed, range(callers))))


def burnt(pause):
    """Return the processor seconds of a pause behind a parallel loop.

    pause  seconds for which this process does nothing
    """
    hits_parallel(1000)
    before = time.process_time()
    time.sleep(pause)
    return time.process_time() - before


def beside(shots):
    """Return the seconds of a pool at rest, and right behind a loop.

    shots  shared by two threads that were started before, each tied to a
           core, so that chance does not place them
    """
    with threads.pool(2, tied=True) as pool:

        def pooled():
            return sum(pool.map(hits_numba, split(shots, 2)))

        pooled()
        hits_parallel(1000)
        settle()
        alone = clock.seconds(pooled)
        hits_parallel(1000)
        return {"at rest": alone, "behind a loop": clock.seconds(pooled)}
