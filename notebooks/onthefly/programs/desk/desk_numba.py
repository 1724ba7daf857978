"""A service desk, compiled by Numba: tuples in a heap, a ring for a queue."""

from heapq import heappop, heappush

import numba
import numpy as np

ARRIVES, LEAVES = 0, 1


@numba.njit(nogil=True)
def simulate(arrivals, services, servers, room):
    free, served, waited = servers, 0, 0.0
    queue = np.empty(room, np.int64)
    first = waiting = 0
    events = [(arrivals[0], 0, ARRIVES, 0)]
    planned = 1
    while events:
        now, _, kind, customer = heappop(events)
        begins = -1
        if kind == LEAVES and waiting > 0:
            begins = queue[first]
            first = (first + 1) % room
            waiting -= 1
        elif kind == LEAVES:
            free += 1
        elif free > 0:
            free -= 1
            begins = customer
        elif waiting < room:
            queue[(first + waiting) % room] = customer
            waiting += 1
        if begins >= 0:
            served += 1
            waited += now - arrivals[begins]
            end = now + services[begins]
            heappush(events, (end, planned, LEAVES, begins))
            planned += 1
        customer += 1
        if kind == ARRIVES and customer < len(arrivals):
            event = arrivals[customer], planned, ARRIVES, customer
            heappush(events, event)
            planned += 1
    return waited / served, served


def desk_numba(arrivals, services, servers=5, room=20):
    """Return the mean waiting time and the number of customers served."""
    # The arrays share their memory with those of Python: nothing is copied.
    return simulate(
        np.frombuffer(arrivals), np.frombuffer(services), servers, room
    )
