"""The function's calls as tasks of a pool: of threads, of processes."""

import contextlib
import dataclasses
import functools
import math
import multiprocessing
import os
import pickle
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

from onthefly.diagnose.same import CLOSE, SAME, difference, incomparable
from onthefly.measure import clock, nogil
from onthefly.measure.quantity import Quantity
from onthefly.measure.timings import Timings

PAYS = 1.1  # speed-up above which a pool pays: less is not worth the trouble
ONE, NOTHING = "one after the other", "nothing"
OWN = "this function"
ROUNDS = 10  # that the budget should allow, the first calls included
SAMPLE = 0.01  # seconds that the calls of a sample take one worker, at least
CALLS = 500  # that each thread makes at most, for their results
EMPTY = 120  # tasks without work in a sample of NOTHING
# Parts of the threads' budget: calls as tasks, the nogil fraction, results.
TASKS, FRACTION, RESULTS = 0.45, 0.45, 0.1
# A fork of a process that has threads may hang, and grows with its memory.
START = "forkserver" if os.name == "posix" else "spawn"


@dataclasses.dataclass(frozen=True)
class PoolTrial:
    """What pools of threads, or of processes, make of the calls.

    error   why it was not measured, in one line, or ""
    counts  workers of the pools, ascending
    times   Timings of ONE worker and of each pool by size, and of NOTHING
    sent    bytes of the arguments that a task hands over, at the largest size
    """

    error: str = ""
    counts: tuple[int, ...] = ()
    times: Timings = dataclasses.field(default_factory=Timings)
    sent: int = 0

    @functools.cached_property
    def speeds(self):
        """{workers: {size: Quantity}}, against one; {} for an error."""
        return {
            k: {
                n: self.times.ratio(ONE, _name(k), n)
                for n in self.times.sizes(ONE)
            }
            for k in self.counts
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
        return self.times.seconds(NOTHING, 0) / EMPTY


@dataclasses.dataclass(frozen=True)
class ThreadTrial(PoolTrial):
    """What threads make of the calls, and the GIL of the threads.

    size        at which it was asked what runs outside the GIL
    reports     {OWN, and nogil's references: nogil.Report}
    comparison  how the results of one and of many threads compare, in words
    """

    size: int = 0
    reports: dict[str, nogil.Report] = dataclasses.field(default_factory=dict)
    comparison: str = ""

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
    times = _times(
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
    return ThreadTrial("", counts[1:], times, 0, size, reports, compared)


def processes(calls, alone, counts, budget, seed):
    """Return the PoolTrial of processes; a task takes its arguments along.

    Arguments as of `threads`.
    """
    context = multiprocessing.get_context(START)
    executor = functools.partial(ProcessPoolExecutor, mp_context=context)
    times = _times(executor, calls, alone, counts, budget, seed)
    sent = pickle.dumps(calls.inputs(max(times.sizes(ONE))))
    return PoolTrial("", counts[1:], times, len(sent))


def _name(workers):
    """Return the name of a pool of so many workers in the Timings."""
    return f"{workers} workers"


def _largest(alone, calls, budget):
    """Return the largest size that can be called so often, or the least."""
    return max(
        (n for n, seconds in alone.items() if calls * seconds <= budget),
        default=min(alone),
    )


def _times(executor, calls, sizes, counts, budget, seed):
    """Return the Timings of one worker, of pools and of tasks without work.

    executor  makes a pool of so many workers
    """
    with contextlib.ExitStack() as stack:
        # One thread of a pool, too: the main thread's core may be another.
        one = stack.enter_context(ThreadPoolExecutor(1))
        pools = {k: stack.enter_context(executor(k)) for k in counts[1:]}
        for k, pool in pools.items():  # each task starts a worker
            _hand(pool, calls, {min(sizes): k}, min(sizes))
        least = pools[counts[1]]
        share = _share(least, calls, sizes, counts[1:], budget)
        ways = {
            _name(k): functools.partial(_hand, pool, calls, share)
            for k, pool in pools.items()
        }
        ways[ONE] = lambda n: one.submit(_in_turn, calls, share, n).result()
        at = {name: [*share] for name in ways} | {NOTHING: [0]}
        ways[NOTHING] = lambda _: _finish(map(least.submit, [int] * EMPTY))
        times = clock.measure(
            ways, sizes=at, budget=budget, seed=seed, min_sample=0
        )
    return Timings.of(times)


def _share(pool, calls, sizes, counts, budget):
    """Return {size: calls in a sample}, as far as the budget goes.

    They divide among the workers of each pool.
    """
    even = math.lcm(*counts)
    even = even if even <= 4 * max(counts) else 2 * max(counts)
    left = budget / ROUNDS / (len(counts) + 1)  # for a sample of each size
    share = {}
    for n, alone in sizes.items():
        if share and left < alone:
            break
        # What a task sends counts; what a neighbour takes does not.
        taken = min(
            clock.seconds(_hand, pool, calls, {n: 1}, n) for _ in range(3)
        )
        many = even * math.ceil(SAMPLE / taken / even)
        left -= many * taken
        if share and left < 0:
            break
        share[n] = many
    return share


def _in_turn(calls, share, size):
    for _ in range(share[size]):
        calls.call(size)


def _hand(pool, calls, share, size):
    """Hand over each of a size's calls as a task."""
    task = _sent(calls), *calls.inputs(size)
    _finish(pool.submit(*task) for _ in range(share[size]))


def _sent(calls):
    """Return the function as a pool of processes can be handed it."""
    if calls.target.code:
        return functools.partial(_called, calls.target.code)
    return calls.subject.given


def _called(code, *inputs):
    """Call a function that came by cloudpickle."""
    return _loaded(code)(*inputs)


@functools.cache
def _loaded(code):
    import cloudpickle

    return cloudpickle.loads(code)


def _finish(jobs):
    for job in list(jobs):
        job.result()


def in_threads(call, size, threads, seconds):
    """Return how one thread's results compare with many threads', in words.

    call     function of a size
    threads  how many call at once, and take turns as often as they can
    """
    expected = call(size)
    if why := incomparable(expected, call(size)):
        return why
    until = time.perf_counter() + seconds
    calls = differ = 0
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(threads) as pool:
            while calls < CALLS * threads:
                results = [*pool.map(call, [size] * 4 * threads)]
                calls += len(results)
                differ += sum(difference(r, expected) not in (SAME, CLOSE)
                              for r in results)  # fmt: skip
                if time.perf_counter() > until:
                    break
    finally:
        sys.setswitchinterval(interval)
    part = Quantity.share(differ, calls)
    head = (
        "NOT SAFE: not the same in one and in many threads"
        if differ
        else "the same in one and in many threads, as far as tried"
    )
    return (
        f"{head}: {differ:,} of {calls:,} calls in {threads} threads differ "
        f"at n = {size:,} ({part.interval} %); what it changes elsewhere was "
        "not looked at"
    )
