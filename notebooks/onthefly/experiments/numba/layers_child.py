"""Parallel code on the threading layer that this process's variables name.

The program of `layers.tried`; some of it ends a process, or hangs.
"""

import os
import resource
import threading

import numba

from onthefly.experiments.numba import parallel
from onthefly.kernels.pi.pi_numba_parallel import hits_parallel, limited
from onthefly.measure import clock

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # leave no memory dump


def threads():
    """Return how many threads worked; whether the calling one did."""
    idents = parallel.workers(numba.config.NUMBA_NUM_THREADS)
    hits_parallel(1)  # compile what is timed later
    return len(idents), threading.get_ident() in idents


def entry(calls):
    """Return the seconds of a call for one shot, with two threads."""
    with limited(2):
        return clock.seconds(hits_parallel, 1, calls=calls)


def in_a_fork():
    """Return the exit status of parallel code in a forked process."""
    copy = os.fork()
    if copy == 0:
        try:
            hits_parallel(1)
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])


def _many():
    for _ in range(100):
        hits_parallel(10_000)


def two_at_once():
    """Run parallel code from two threads at once."""
    callers = [threading.Thread(target=_many) for _ in range(2)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    return 0
