"""The function's calls as tasks of a pool: of threads, of processes."""

import contextlib
import dataclasses
import functools
import math
import multiprocessing
import os
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

from confirming.comparison import Comparison, in_threads
from onthefly import clock
from onthefly.experiments.gil import nogil
from onthefly.quantity import Quantity
from onthefly.timings import Timings

PAYS = 1.1  # speed-up above which a pool pays: less is not worth the trouble
ONE, NOTHING = "one after the other", "nothing"
OWN = "this function"
ROUNDS = 8  # that the budget should allow
SAMPLE = 0.01  # seconds that the calls of a sample take one worker, at least
EMPTY = 100  # tasks without work in a sample, at least
# Parts of the threads' budget: calls as tasks, the nogil fraction, results.
TASKS, FRACTION, RESULTS = 0.45, 0.45, 0.1
# A fork of a process that has threads may hang, and grows with its memory.
START = "forkserver" if os.name == "posix" else "spawn"


@dataclasses.dataclass(frozen=True)
class PoolTrial:
    """What pools of threads, or of processes, make of the calls.

    error  why it was not measured, in one line, or ""
    times  Timings of ONE worker and of each pool by size, and of NOTHING
    empty  tasks in one sample of NOTHING
    begin  seconds until the workers of the smallest pool had answered
    sent   bytes of the arguments that a task hands over, at the largest size
    """

    error: str = ""
    times: Timings = dataclasses.field(default_factory=Timings)
    empty: int = 1
    begin: float = 0.0
    sent: int = 0

    @functools.cached_property
    def speeds(self):
        """{workers: {size: Quantity}}, against one; {} for an error."""
        counts = [name for name in self.times.names if isinstance(name, int)]
        return {
            k: {n: self.times.ratio(ONE, k, n) for n in self.times.sizes(ONE)}
            for k in counts
        }

    @functools.cached_property
    def best(self):
        """{size: (workers, Quantity)}, the count with most speed-up."""
        sizes = next(iter(self.speeds.values()), ())
        return {
            n: max(
                ((k, by_size[n]) for k, by_size in self.speeds.items()),
                key=lambda pair: pair[1].value,
            )
            for n in sizes
        }

    @property
    def pays_from(self):
        """The size from which a pool pays, or None.

        The smallest whose interval lies above PAYS, where at all larger ones
        the speed-up does, if not its whole interval.
        """
        start = None
        for size, (_, most) in reversed(self.best.items()):
            if most.value <= PAYS:
                break
            if any(by[size] > PAYS for by in self.speeds.values()):
                start = size
        return start

    @property
    def never_pays(self):
        """Whether every speed-up is below PAYS, its interval included."""
        every = [q for by in self.speeds.values() for q in by.values()]
        return all(q < PAYS for q in every)

    @property
    def handing(self):
        """Seconds that one task without work costs the smallest pool."""
        return self.times.seconds(NOTHING, 0) / self.empty

    @property
    def start(self):
        """Seconds that a pool takes to start, a single look."""
        return Quantity.exact(self.begin, "s")


@dataclasses.dataclass(frozen=True)
class ThreadTrial(PoolTrial):
    """What threads make of the calls, and the GIL of the threads.

    size        at which it was asked what runs outside the GIL
    reports     {OWN, and nogil's references: nogil.Report}
    comparison  of the results of one and of many threads
    """

    size: int = 0
    reports: dict[str, nogil.Report] = dataclasses.field(default_factory=dict)
    comparison: Comparison | None = None

    @property
    def held(self):
        """Whether threads took turns, so that no gain can be theirs."""
        holds = nogil.HOLDS, nogil.SLOW
        return bool(self.reports) and self.reports[OWN].verdict in holds

    @property
    def pays_from(self):
        """The size from which threads pay, or None."""
        return None if self.held else super().pays_from


def threads(calls, alone, counts, budget, seed):
    """Return the ThreadTrial of a function.

    calls   its Calls
    alone   {size: seconds of a call}, ascending
    counts  of threads, ascending, 1 among them
    budget  seconds for the samples; sizes that it is too small for are left
            out, but the smallest
    """
    tasks = _tasks(
        ThreadPoolExecutor, calls, alone, counts, TASKS * budget, seed
    )
    # A dozen rounds of every number of threads.
    size = _largest(alone, 12 * sum(counts), FRACTION * budget / 3)
    reports = nogil.profile(
        {OWN: functools.partial(calls.call, size)},
        counts,
        budget=FRACTION * budget,
        seed=seed,
    )
    seconds = RESULTS * budget
    compared = in_threads(
        calls.call, _largest(alone, 40, seconds), counts[-1], seconds
    )
    return ThreadTrial(
        **tasks, size=size, reports=reports, comparison=compared
    )


def processes(calls, alone, counts, budget, seed):
    """Return the PoolTrial of processes; a task takes its arguments along.

    Arguments as of `threads`.
    """
    context = multiprocessing.get_context(START)
    executor = functools.partial(ProcessPoolExecutor, mp_context=context)
    tasks = _tasks(executor, calls, alone, counts, budget, seed)
    sent = calls.inputs(max(tasks["times"].sizes(ONE)))
    return PoolTrial(**tasks, sent=len(pickle.dumps(sent)))


def _largest(alone, calls, budget):
    """Return the largest size that can be called so often, or the least."""
    return max(
        (n for n, seconds in alone.items() if calls * seconds <= budget),
        default=min(alone),
    )


def _tasks(executor, calls, sizes, counts, budget, seed):
    """Return what is measured of pools, as fields of PoolTrial.

    executor  makes a pool of so many workers
    """
    counts = [k for k in counts if k > 1]
    even = _even(counts)
    empty = even * math.ceil(EMPTY / even)
    with contextlib.ExitStack() as stack:
        # One thread of a pool, too: the main thread's core may be another.
        single = stack.enter_context(ThreadPoolExecutor(1))
        pools = {k: stack.enter_context(executor(k)) for k in counts}
        # Each task starts a worker, as none is idle yet.
        start, *_ = (
            clock.seconds(_hand, pool, calls, {min(sizes): k}, min(sizes))
            for k, pool in pools.items()
        )
        share = _share(
            lambda n: clock.seconds(_hand, pools[counts[0]], calls, {n: 1}, n),
            sizes, even, budget / ROUNDS / (len(counts) + 1),
        )  # fmt: skip
        shared = {
            k: functools.partial(_hand, pool, calls, share)
            for k, pool in pools.items()
        }
        times = clock.measure(
            {
                ONE: lambda n: single.submit(
                    _in_turn, calls.call, n, share[n]
                ).result(),
                **shared,
                NOTHING: lambda _: _finish(
                    pools[counts[0]].submit(int) for _ in range(empty)
                ),
            },
            sizes=dict.fromkeys([ONE, *shared], [*share]) | {NOTHING: [0]},
            budget=budget,
            seed=seed,
            min_sample=0,
        )
    return {"times": times, "empty": empty, "begin": start}


def _even(counts):
    """Return how many tasks divide among the workers of each pool."""
    even = math.lcm(*counts)
    return even if even <= 4 * max(counts) else 2 * max(counts)


def _share(look, sizes, even, budget):
    """Return {size: calls in a sample}, as far as the budget goes.

    look    function of a size: seconds of one task, what it sends included
    even    the calls are a multiple of it
    budget  seconds for a sample of every size
    """
    share = {}
    for n in sizes:
        taken = look(n)
        calls = even * math.ceil(SAMPLE / taken / even)
        budget -= calls * taken
        if share and budget < 0:
            break
        share[n] = calls
    return share


def _in_turn(call, size, count):
    for _ in range(count):
        call(size)


def _hand(pool, calls, share, size):
    """Hand over each of a size's calls as a task."""
    task = calls.function, *calls.inputs(size)
    _finish(pool.submit(*task) for _ in range(share[size]))


def _finish(jobs):
    for job in list(jobs):
        job.result()
