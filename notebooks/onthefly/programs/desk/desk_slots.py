"""A service desk: as objects with slots; only the next arrival is planned."""

import heapq
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

ARRIVES, LEAVES = 0, 1


@dataclass(slots=True)
class Customer:
    arrival: float
    service: float


@dataclass(order=True, slots=True)
class Event:
    time: float
    number: int  # of two at the same time, the first planned is first
    kind: int = field(compare=False)
    customer: Customer = field(compare=False)


class Desk:
    __slots__ = (
        "events", "free", "planned", "queue", "room", "served", "waited",
    )  # fmt: skip

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

    def expect(self, customers: Iterator[Customer]) -> None:
        customer = next(customers, None)
        if customer is not None:
            self.plan(customer.arrival, ARRIVES, customer)

    def run(self, customers: Iterator[Customer]) -> None:
        self.expect(customers)
        while self.events:
            event = heapq.heappop(self.events)
            if event.kind == ARRIVES:
                self.arrive(event.time, event.customer)
                self.expect(customers)
            else:
                self.leave(event.time)


def desk_slots(
    arrivals: Sequence[float],
    services: Sequence[float],
    servers: int = 5,
    room: int = 20,
) -> tuple[float, int]:
    """Return the mean waiting time and the number of customers served."""
    desk = Desk(servers, room)
    desk.run(map(Customer, arrivals, services))
    return desk.waited / desk.served, desk.served


if __name__ == "__main__":
    from onthefly.programs import desk

    print(desk_slots(*desk.data(int(sys.argv[1]))))
