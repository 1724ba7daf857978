"""Loops whose work grows, shared by threads in several ways.

Source of the question: Okuda, PyCon JP 2018, slide 24.
"""

import numpy as np
from numba import njit, prange

from onthefly.experiments.numba.parallel import thread_number
from onthefly.kernels.pi.pi_numba import hits_numba


@njit(parallel=True)
def stretches(cost, who):
    """Count hits in `cost[i]` shots for each i; write down who did it."""
    hits = 0
    for i in prange(len(cost)):
        hits += hits_numba(cost[i])
        who[i] = thread_number()
    return hits


@njit(parallel=True)
def dealt(cost, who, hands):
    """Do the same, dealt out like cards to so many hands."""
    hits = 0
    for hand in prange(hands):
        for i in range(hand, len(cost), hands):
            hits += hits_numba(cost[i])
            who[i] = thread_number()
    return hits


@njit(nogil=True)
def hits_span(cost, who, low, high):
    """Do a part of it on one core, without the GIL."""
    hits = 0
    for i in range(low, high):
        hits += hits_numba(cost[i])
        who[i] = thread_number()
    return hits


def largest_share(function, cost):
    """Return the largest share of uneven work that one thread had.

    function  called with the costs and an array in which it writes, for each
              piece, the number of the thread that did it
    cost      array of the work of each piece

    It is counted, from 0 to 1.
    """
    who = np.zeros(len(cost), np.uintp)
    function(cost, who)
    parts = [cost[who == w].sum() for w in set(who.tolist())]
    return float(max(parts) / cost.sum())
