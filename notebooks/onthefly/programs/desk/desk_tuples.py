"""A service desk in one function: events are tuples, customers numbers."""

import sys
from collections import deque
from heapq import heappop, heappush

ARRIVES, LEAVES = 0, 1


def desk_tuples(arrivals, services, servers=5, room=20):
    """Return the mean waiting time and the number of customers served."""
    free, served, waited = servers, 0, 0.0
    queue = deque()
    events = [(arrivals[0], 0, ARRIVES, 0)]  # time, number, kind, customer
    planned = 1
    while events:
        now, _, kind, customer = heappop(events)
        begins = -1
        if kind == LEAVES and queue:
            begins = queue.popleft()
        elif kind == LEAVES:
            free += 1
        elif free > 0:
            free -= 1
            begins = customer
        elif len(queue) < room:
            queue.append(customer)
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


if __name__ == "__main__":
    from onthefly.programs import desk

    print(desk_tuples(*desk.data(int(sys.argv[1]))))
