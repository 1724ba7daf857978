"""A service desk: objects, and a heap of all events that are planned."""

import heapq
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

ARRIVES, LEAVES = 0, 1


@dataclass
class Customer:
    arrival: float
    service: float


@dataclass(order=True)
class Event:
    time: float
    number: int  # of two at the same time, the first planned is first
    kind: int = field(compare=False)
    customer: Customer = field(compare=False)


class Desk:
    def __init__(self, servers: int, room: int) -> None:
        self.free = servers
        self.room = room
        self.queue: deque[Customer] = deque()
        self.events: list[Event] = []
        self.planned = 0
        self.served = 0
        self.waited = 0.0

    def plan(self, time: float, kind: int, customer: Customer) -> None:
        event = Event(time, self.planned, kind, customer)
        heapq.heappush(self.events, event)
        self.planned += 1

    def arrive(self, now: float, customer: Customer) -> None:
        if self.free > 0:
            self.free -= 1
            self.serve(now, customer)
        elif len(self.queue) < self.room:
            self.queue.append(customer)

    def serve(self, now: float, customer: Customer) -> None:
        self.served += 1
        self.waited += now - customer.arrival
        self.plan(now + customer.service, LEAVES, customer)

    def leave(self, now: float) -> None:
        if self.queue:
            self.serve(now, self.queue.popleft())
        else:
            self.free += 1

    def run(self, customers: list[Customer]) -> None:
        for customer in customers:
            self.plan(customer.arrival, ARRIVES, customer)
        while self.events:
            event = heapq.heappop(self.events)
            if event.kind == ARRIVES:
                self.arrive(event.time, event.customer)
            else:
                self.leave(event.time)


def desk_python(
    arrivals: Sequence[float],
    services: Sequence[float],
    servers: int = 5,
    room: int = 20,
) -> tuple[float, int]:
    """Return the mean waiting time and the number of customers served."""
    desk = Desk(servers, room)
    desk.run(list(map(Customer, arrivals, services)))
    return desk.waited / desk.served, desk.served


if __name__ == "__main__":
    from onthefly.programs import desk

    print(desk_python(*desk.data(int(sys.argv[1]))))
