"""A function that is kept in Numba's cache on disk, and its first call."""

import random

import numba

from onthefly.measure import clock


@numba.njit(cache=True)
def hits(shots):
    """Count hits of `shots` points."""
    count = 0
    for _ in range(shots):
        x, y = random.random(), random.random()
        count += x * x + y * y <= 1.0
    return count


def warm():
    """Start the compiler, which is not the question."""
    numba.njit(lambda: 1)()


def first_call():
    """Return the seconds of a first call, and whether it found its code."""
    taken = clock.seconds(hits, 10)
    return taken, sum(hits.stats.cache_hits.values()) == 1
