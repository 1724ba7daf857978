"""The heap of a desk in Numba: in a list of the function, in a typed list."""

from heapq import heappop, heappush

import numba
from numba.typed import List


@numba.njit
def in_own_list(steps):
    """Push and pop so many events; return the sum of their numbers."""
    events, total = [(0.0, 0)], 0
    for k in range(1, steps + 1):
        heappush(events, (k * 1.0, k))
        total += heappop(events)[1]
    return total


@numba.njit
def in_typed_list(steps):
    """Push and pop so many events; return the sum of their numbers."""
    events, total = List([(0.0, 0)]), 0
    for k in range(1, steps + 1):
        heappush(events, (k * 1.0, k))
        total += heappop(events)[1]
    return total
