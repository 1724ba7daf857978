"""The function's calls as tasks of a pool: of threads, of processes."""

import contextlib
import dataclasses
import functools
import math
import multiprocessing
import os
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from confirming.errors import one_line
from onthefly import clock
from onthefly.quantity import Quantity
from onthefly.timings import Timings

PAYS = 1.1  # speed-up above which a pool pays: less is not worth the trouble
ONE, NOTHING = "one after the other", "nothing"
ROUNDS = 8  # that the budget should allow
PICKED = 4  # sizes that are measured in processes, at most
MOST = 500  # calls in a sample of threads
# What a sample does at least: seconds of all its calls in one worker, and
# tasks without work.
THREADS_SAMPLE, THREADS_EMPTY = 0.005, 200
PROCESSES_SAMPLE, PROCESSES_EMPTY = 0.01, 40
HANDING = 3e-5  # seconds that handing a task to a thread costs, about
# A fork of a process that has threads may hang, and grows with its memory.
START = "forkserver" if os.name == "posix" else "spawn"


@dataclasses.dataclass(frozen=True)
class PoolTrial:
    """What pools of threads, or of processes, make of the calls.

    error   why it was not measured, in one line, or ""
    counts  workers of the pools, ascending
    times   Timings of ONE worker and of each pool by size, and of NOTHING
    empty   tasks in one sample of NOTHING
    begin   seconds until the processes of the smallest pool had answered
    sent    bytes of the arguments that a task hands over, at the largest size
    """

    error: str = ""
    counts: tuple[int, ...] = ()
    times: Timings | None = None
    empty: int = 1
    begin: float = 0.0
    sent: int = 0

    @functools.cached_property
    def sizes(self):
        """The sizes that were measured."""
        return self.times.sizes(ONE) if self.times else []

    @functools.cached_property
    def speeds(self):
        """{workers: {size: Quantity}}, against one; {} for an error."""
        if self.times is None:
            return {}
        return {
            k: {n: self.times.ratio(ONE, _name(k), n) for n in self.sizes}
            for k in self.counts
        }

    @functools.cached_property
    def best(self):
        """{size: (workers, Quantity)}, the count with most speed-up."""
        return {
            n: max(
                ((k, by_size[n]) for k, by_size in self.speeds.items()),
                key=lambda pair: pair[1].value,
            )
            for n in self.sizes
        }

    @functools.cached_property
    def pays_from(self):
        """The size from which a pool pays, or None.

        The smallest whose interval lies above PAYS, where at all larger ones
        the speed-up does, if not its whole interval.
        """
        start = None
        for size, (_, most) in reversed(self.best.items()):
            if most.value <= PAYS:
                break
            if any(by_size[size].low > PAYS for by_size in
                   self.speeds.values()):  # fmt: skip
                start = size
        return start

    @property
    def never_pays(self):
        """Whether every speed-up is at most PAYS, its interval included."""
        every = [q for by in self.speeds.values() for q in by.values()]
        return all(q.high <= PAYS for q in every)

    @functools.cached_property
    def handing(self):
        """Seconds that one task without work costs the smallest pool."""
        return self.times.seconds(NOTHING, 0) / self.empty

    @property
    def start(self):
        """Seconds that a pool takes to start, a single look."""
        return Quantity.exact(self.begin, "s")


def threads(calls, alone, counts, budget, seed):
    """Return the PoolTrial of threads.

    calls   the Calls of a function
    alone   {size: seconds of a call}, ascending
    counts  of threads, ascending
    budget  seconds for the samples; sizes that it is too small for are left
            out, but the smallest
    """

    def task(n):
        return calls.call, n

    share = _share_of_threads(alone, counts, budget)
    empty = _even(counts) * max(1, THREADS_EMPTY // _even(counts))
    with contextlib.ExitStack() as stack:
        # One thread of a pool, too: the main thread's core may be another.
        single, *pools = (
            stack.enter_context(ThreadPoolExecutor(k)) for k in (1, *counts)
        )
        times = _times(
            lambda n: single.submit(_in_turn, calls, share, n).result(),
            {
                k: functools.partial(_as_tasks, pool, task, share)
                for k, pool in zip(counts, pools, strict=True)
            },
            functools.partial(_empty_tasks, pools[0], empty),
            list(share), budget, seed,
        )  # fmt: skip
    return PoolTrial("", tuple(counts), times, empty)


def processes(calls, alone, counts, budget, seed):
    """Return the PoolTrial of processes; nothing of it is raised.

    Arguments as of `threads`.  A task takes its arguments along.
    """
    try:
        pickle.dumps(calls.function)
    except Exception as error:
        return PoolTrial(
            f"it cannot be sent to another process ({one_line(error)}); "
            "repair: def it at the top of a module, under its own name"
        )
    try:
        return _in_processes(calls, alone, counts, budget, seed)
    except BrokenProcessPool:
        return PoolTrial("a process of the pool ended while it ran")
    except (Exception, SystemExit) as error:
        return PoolTrial(f"in another process it fails: {one_line(error)}")


def _in_processes(calls, alone, counts, budget, seed):
    context = multiprocessing.get_context(START)
    empty = max(counts) * -(-PROCESSES_EMPTY // max(counts))
    message = pickle.dumps((calls.function, calls.inputs(min(alone))))
    with contextlib.ExitStack() as stack:
        pools = [
            stack.enter_context(ProcessPoolExecutor(k, context))
            for k in counts
        ]
        begin = [
            clock.seconds(_start, pool, k, message)
            for pool, k in zip(pools, counts, strict=True)
        ]

        def task(n):
            return calls.function, *calls.inputs(n)

        def look(n):
            return clock.seconds(_as_tasks, pools[0], task, {n: 1}, n)

        share = _share_of_processes(look, alone, counts, budget)
        times = _times(
            functools.partial(_in_turn, calls, share),
            {
                k: functools.partial(_as_tasks, pool, task, share)
                for k, pool in zip(counts, pools, strict=True)
            },
            functools.partial(_empty_tasks, pools[0], empty),
            list(share), budget, seed,
        )  # fmt: skip
    sent = len(pickle.dumps(calls.inputs(max(share))))
    return PoolTrial("", tuple(counts), times, empty, begin[0], sent)


def _name(workers):
    """Return the name of a pool of so many workers in the Timings."""
    return f"{workers} workers"


def _times(one, pools, nothing, sizes, budget, seed):
    """Return the Timings of one worker, of pools and of tasks without work.

    one, nothing  functions of the size
    pools         {workers: function of the size}
    """
    shared = {_name(k): call for k, call in pools.items()}
    at = dict.fromkeys([ONE, *shared], sizes) | {NOTHING: [0]}
    return clock.measure(
        {ONE: one, **shared, NOTHING: nothing},
        sizes=at,
        budget=budget,
        seed=seed,
        min_sample=0,
    )


def _even(counts):
    """Return how many tasks divide among the workers of each pool."""
    even = math.lcm(*counts)
    return even if even <= 4 * max(counts) else 2 * max(counts)


def _share_of_threads(alone, counts, budget):
    """Return {size: calls in a sample}, so that enough rounds fit."""
    share, planned, even = {}, 0.0, _even(counts)
    for n, seconds in alone.items():
        enough = math.ceil(THREADS_SAMPLE / max(seconds, 1e-7) / even)
        calls = even * min(max(enough, 1), max(1, MOST // even))
        planned += ROUNDS * (len(counts) + 1) * calls * (seconds + HANDING)
        if share and planned > budget:
            break
        share[n] = calls
    return share


def _share_of_processes(look, alone, counts, budget):
    """Return {size: calls in a sample} of some sizes, the largest included.

    look  function of a size: seconds of one task, what it sends included
    """
    even = _even(counts)
    most = budget / PICKED / ROUNDS / (len(counts) + 1)
    share = {}
    for n in alone:
        taken = look(n)
        calls = even * math.ceil(PROCESSES_SAMPLE / taken / even)
        if share and calls * taken > most:
            break
        share[n] = calls
    step = max(1, math.ceil(len(share) / PICKED))
    return {n: share[n] for n in sorted([*share][::-1][::step])}


def _in_turn(calls, share, size):
    for _ in range(share[size]):
        calls.call(size)


def _as_tasks(pool, task, share, size):
    """Hand over each call as a task.

    task  function of the size: what is called, and its arguments
    """
    _finish(pool.submit(*task(size)) for _ in range(share[size]))


def _empty_tasks(pool, count, _):
    _finish(pool.submit(_nothing) for _ in range(count))


def _finish(jobs):
    for job in list(jobs):
        job.result()


def _nothing():
    """Do what a task without work does."""


def _start(pool, processes, message):
    """Call once in each process of a pool; raises what the call does.

    Each task starts one, as none is idle yet.
    """
    _finish(pool.submit(_call, message) for _ in range(processes))


def _call(message):
    """Call what a message holds.

    What cannot be read here is raised, and does not break the pool.
    """
    function, inputs = pickle.loads(message)
    return function(*inputs)
