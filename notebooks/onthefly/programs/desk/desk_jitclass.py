"""A service desk as a class that Numba compiles."""

from heapq import heappop, heappush

import numpy as np
from numba import float64, int64, types
from numba.experimental import jitclass
from numba.typed import List

ARRIVES, LEAVES = 0, 1
EVENT = types.Tuple((float64, int64, int64, int64))


@jitclass
class Desk:
    arrivals: float64[::1]
    services: float64[::1]
    free: int64
    queue: int64[::1]
    first: int64
    waiting: int64
    events: types.ListType(EVENT)
    planned: int64
    served: int64
    waited: float64

    def __init__(self, arrivals, services, servers, room):
        self.arrivals, self.services = arrivals, services
        self.free = servers
        self.queue = np.empty(room, np.int64)
        self.first = self.waiting = 0
        self.events = List.empty_list(EVENT)
        self.planned = 0
        self.served = 0
        self.waited = 0.0

    def plan(self, time, kind, customer):
        heappush(self.events, (time, self.planned, kind, customer))
        self.planned += 1

    def arrive(self, now, customer):
        room = len(self.queue)
        if self.free > 0:
            self.free -= 1
            self.serve(now, customer)
        elif self.waiting < room:
            self.queue[(self.first + self.waiting) % room] = customer
            self.waiting += 1

    def serve(self, now, customer):
        self.served += 1
        self.waited += now - self.arrivals[customer]
        self.plan(now + self.services[customer], LEAVES, customer)

    def leave(self, now):
        if self.waiting > 0:
            self.serve(now, self.queue[self.first])
            self.first = (self.first + 1) % len(self.queue)
            self.waiting -= 1
        else:
            self.free += 1

    def expect(self, customer):
        if customer < len(self.arrivals):
            self.plan(self.arrivals[customer], ARRIVES, customer)

    def run(self):
        self.expect(0)
        while len(self.events) > 0:
            now, _, kind, customer = heappop(self.events)
            if kind == ARRIVES:
                self.arrive(now, customer)
                self.expect(customer + 1)
            else:
                self.leave(now)


def desk_jitclass(arrivals, services, servers=5, room=20):
    """Return the mean waiting time and the number of customers served."""
    desk = Desk(
        np.frombuffer(arrivals), np.frombuffer(services), servers, room
    )
    desk.run()
    return desk.waited / desk.served, desk.served
