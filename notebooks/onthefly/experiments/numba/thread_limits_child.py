"""Count a loop's threads: the program of `thread_limits`, from 3.6 on."""

import ctypes

import numba
import numpy as np

from onthefly.experiments.numba import old_numba_child

old_numba_child.keep_environments()

# The number that Python gives a thread, too.
thread_number = ctypes.CDLL(None).pthread_self
thread_number.restype, thread_number.argtypes = ctypes.c_size_t, []


@numba.njit(parallel=True)
def sign(who):
    """Write into each element the number of the thread that came by."""
    for i in numba.prange(len(who)):
        who[i] = thread_number()


def at_work():
    """Return how many threads share the iterations of a loop."""
    who = np.zeros(1000, np.uintp)
    sign(who)
    return len(set(who.tolist()))


def has(name):
    """Return whether Numba has a call of this name."""
    return hasattr(numba, name)
