"""Parallel loops that tell who did the work, and in which order.

Source of the question: Okuda, PyCon JP 2018, slide 24.
"""

import ctypes
import random

import numpy as np
from numba import njit, prange

from onthefly.kernels.pi_numba import hits_numba
from onthefly.kernels.pi_numba_parallel import limited

_thread = ctypes.CDLL(None).pthread_self  # the number that Python gives, too
_thread.restype, _thread.argtypes = ctypes.c_size_t, []


@njit(parallel=True)
def sum_parallel(x):
    """Add up an array of floats, in an order that the threads decide."""
    found = 0.0
    for i in prange(len(x)):
        found += x[i]
    return found


@njit(parallel=True)
def draw(found, who):
    """Fill an array with random numbers; write down who drew each."""
    for i in prange(len(found)):
        found[i] = random.random()
        who[i] = _thread()


@njit(parallel=True)
def stretches(cost, who):
    """Count hits in `cost[i]` shots for each i; write down who did it."""
    hits = 0
    for i in prange(len(cost)):
        hits += hits_numba(cost[i])
        who[i] = _thread()
    return hits


@njit(parallel=True)
def dealt(cost, who, hands):
    """Do the same, dealt out like cards to so many hands."""
    hits = 0
    for hand in prange(hands):
        for i in range(hand, len(cost), hands):
            hits += hits_numba(cost[i])
            who[i] = _thread()
    return hits


@njit(nogil=True)
def hits_span(cost, low, high):
    """Do a part of it on one core, without the GIL."""
    hits = 0
    for i in range(low, high):
        hits += hits_numba(cost[i])
    return hits


@njit(parallel=True)
def sign(who):
    """Write into each element the number of the thread that came by."""
    for i in prange(len(who)):
        who[i] = _thread()


def workers(threads, count=1000):
    """Return the numbers of the threads that shared `count` iterations.

    They are those of ``threading.get_ident``.
    """
    who = np.zeros(count, np.uintp)
    with limited(threads):
        sign(who)
    return set(who.tolist())
