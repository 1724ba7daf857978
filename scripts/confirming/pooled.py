"""The function's calls as tasks of processes."""

import contextlib
import dataclasses
import functools
import math
import multiprocessing
import os
import pickle
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from confirming.function import said
from onthefly import clock
from onthefly.quantity import Quantity
from onthefly.timings import Timings

ONE, NOTHING = "one after the other", "nothing"
EMPTY = 40  # tasks that do nothing in a sample, at least
ROUNDS = 8  # that the budget should allow
SAMPLE = 0.01  # seconds of one process's sample, at least
PICKED = 4  # sizes that are measured, at most
# A fork of a process that has threads may hang, and grows with its memory.
START = "forkserver" if os.name == "posix" else "spawn"


@dataclasses.dataclass(frozen=True)
class Pooled:
    """What processes make of the calls.

    error  why it was not measured, in one line, or ""
    times  Timings of ONE and of each pool by size, and of NOTHING
    begin  seconds until each process of the smallest pool had answered
    sent   bytes of the arguments that a task hands over, at the largest size
    empty  tasks in one sample of NOTHING
    """

    error: str = ""
    times: Timings | None = None
    begin: float = 0.0
    sent: int = 0
    empty: int = 1

    def speeds(self, counts):
        """Return {processes: {size: Quantity}}, against one process."""
        if self.times is None:
            return {}
        return {
            n: {
                size: self.times.ratio(ONE, name_of(n), size)
                for size in self.times.sizes(ONE)
            }
            for n in counts
        }

    @functools.cached_property
    def handing(self):
        """Seconds that one task without work costs the smallest pool."""
        return self.times.seconds(NOTHING, 0) / self.empty

    @property
    def start(self):
        """Seconds that a pool takes to start, a single look."""
        return Quantity.exact(self.begin, "s")


def name_of(processes):
    """Return the name of a pool of so many processes in the Timings."""
    return f"{processes} processes"


def tried(calls, alone, counts, budget, seed):
    """Return the Pooled of a function; nothing of it is raised.

    calls   its Calls
    alone   {size: seconds of a call}
    counts  of processes
    budget  seconds for the samples
    """
    try:
        pickle.dumps(calls.function)
    except Exception as error:
        return Pooled(
            f"it cannot be sent to another process ({said(error)}); repair: "
            "def it at the top of a module, under its own name"
        )
    try:
        return _measured(calls, alone, counts, budget, seed)
    except BrokenProcessPool:
        return Pooled("a process of the pool ended while it ran")
    except (Exception, SystemExit) as error:
        return Pooled(f"in another process it fails: {said(error)}")


def _measured(calls, alone, counts, budget, seed):
    context = multiprocessing.get_context(START)
    smallest, empty = min(alone), max(counts) * -(-EMPTY // max(counts))
    with contextlib.ExitStack() as stack:
        message = pickle.dumps((calls.function, calls.inputs(smallest)))
        pools, begin = {}, {}
        for n in counts:
            meet = context.Barrier(n)
            pools[n] = stack.enter_context(
                ProcessPoolExecutor(n, context, _meet, (meet,))
            )
            begin[n] = clock.seconds(_start, pools[n], n, message)
        nothing = functools.partial(_empty_tasks, pools[min(counts)], empty)
        one = functools.partial(_look, pools[min(counts)], calls)
        share = _planned(one, alone, counts, budget)
        pooled = {
            name_of(n): functools.partial(_as_tasks, pool, calls, share)
            for n, pool in pools.items()
        }
        ways = {ONE: functools.partial(_in_turn, calls, share), **pooled}
        sizes = {name: list(share) for name in ways} | {NOTHING: [0]}
        times = clock.measure(
            ways | {NOTHING: nothing},
            sizes=sizes,
            budget=budget,
            seed=seed,
            min_sample=0,
        )
    sent = len(pickle.dumps(calls.inputs(max(share))))
    return Pooled("", times, begin[min(counts)], sent, empty)


def _look(pool, calls, size):
    """Return the seconds of one task, what it sends included."""
    return clock.seconds(_as_tasks, pool, calls, {size: 1}, size)


def _planned(look, alone, counts, budget):
    """Return {size: calls in one sample}, so that enough rounds fit.

    look   function of a size: seconds of one task
    alone  {size: seconds of a call}, ascending
    """
    even = math.lcm(*counts)
    even = even if even <= 4 * max(counts) else max(counts)
    most = budget / PICKED / ROUNDS / (len(counts) + 1)
    share = {}
    for n in alone:
        taken = look(n)
        calls = even * math.ceil(SAMPLE / taken / even)
        if share and calls * taken > most:
            break
        share[n] = calls
    step = max(1, math.ceil(len(share) / PICKED))
    return {n: share[n] for n in sorted([*share][::-1][::step])}


def _meet(barrier):
    """Take the place where a pool's processes wait for each other."""
    global meeting
    meeting = barrier


def _start(pool, processes, message):
    """Call once in each process of a pool; raises what the call does."""
    jobs = [pool.submit(_call, message) for _ in range(processes)]
    errors = [job.exception() for job in jobs]
    for error in sorted(
        filter(None, errors),
        key=lambda e: isinstance(e, threading.BrokenBarrierError),
    ):
        raise error


def _call(message):
    """Call what a message holds; then wait until each process did so.

    What cannot be read here is raised, and does not break the pool.
    """
    try:
        function, inputs = pickle.loads(message)
        found = function(*inputs)
    except BaseException:
        meeting.abort()
        raise
    meeting.wait()
    return found


def _in_turn(calls, share, size):
    for _ in range(share[size]):
        calls.call(size)


def _as_tasks(pool, calls, share, size):
    """Hand over each call as a task, its arguments with it."""
    inputs = calls.inputs(size)
    _finish(pool.submit(calls.function, *inputs) for _ in range(share[size]))


def _empty_tasks(pool, count, _):
    _finish(pool.submit(_nothing) for _ in range(count))


def _finish(jobs):
    for job in list(jobs):
        job.result()


def _nothing():
    """Do what a task without work does."""
