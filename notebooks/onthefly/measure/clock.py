"""Measure candidates side by side: the book's only stopwatch.

``timeit.Timer`` takes the samples of calls (garbage collection off,
``perf_counter``); other samplers time themselves.  This module decides their
order and their number.
"""

import functools
import operator
import os
import random
import time
import timeit

from onthefly.errors import UserError
from onthefly.measure import libraries, machine
from onthefly.measure.samples import MIN_ROUNDS, Reading, Samples, Series

MIN_SAMPLE = 0.01  # seconds: far above the clock's step and Timer's own cost
MAX_ROUNDS = 60

# Set where a page measures nothing: others may run beside it.
NOTHING = "ONTHEFLY_TIMES_NOTHING"
REFUSED = "a measurement where none was expected"


def _allowed():
    """Raise UserError where the page was to measure nothing."""
    if NOTHING in os.environ:
        raise UserError(
            f"{REFUSED}: only book.measure, book.sample, book.collect and "
            "book.cached may time"
        )


def seconds(call, *arguments, calls=1, timer=time.perf_counter):
    """Return the seconds of one call, or of each of some in a row.

    For a single look, such as a first call; what is to have an interval is
    measured.
    """
    _allowed()
    start = timer()
    for _ in range(calls):
        call(*arguments)
    return (timer() - start) / calls


def _calibrate(sample, min_sample):
    """Return how many calls make a sample last `min_sample` seconds."""
    loops = 1
    while (taken := sample(loops)) < min_sample:
        # Aim a little above; at most tenfold, as one sample may mislead.
        aim = int(loops * 1.2 * min_sample / max(taken, 1e-9)) + 1
        loops = min(max(aim, loops + 1), loops * 10)
    return loops


def measure(
    candidates,
    *,
    sizes=None,
    budget=2.5,
    least=1,
    rounds=MAX_ROUNDS,
    seed=0,
    min_sample=MIN_SAMPLE,
    wait=None,
    timer=time.perf_counter,
):
    """Measure `candidates` side by side and return their Samples.

    candidates  {name: function}; called as ``f()``, or ``f(size)`` where
                `sizes` are given
    sizes       list of sizes, or {name: list} where the candidates differ
    budget      seconds for the whole call; no round starts after it but the
                `least`
    rounds      at most so many samples of each
    seed        of the order within a round
    min_sample  seconds that one sample lasts at least (calls are looped)
    wait        function that returns when the device is idle; by default
                each loaded GPU library's own
    timer       clock, in seconds

    Each candidate's first call is timed apart and kept: it compiles, loads
    and fills caches.  Then rounds follow; each takes one sample of every
    candidate and size, in a new random order, so that a drift of the
    machine's speed hits all alike.  Python's collector is off within a
    sample.  Whatever the budget, one round is taken; with fewer than six,
    intervals are infinite and the table says so.

    A candidate that needs a library which is missing is left out: the
    Samples tell for want of which.

    Raises ValueError for no candidates or a budget that is not positive,
    ImportError where all are left out.
    """
    deadline = _deadline("measure", candidates, budget, timer)
    watch = _Watch()
    waits = [wait] if wait else None
    samplers, firsts, loops = {}, {}, {}
    for key, call in _keyed(candidates, sizes).items():
        take = _sampler(call, waits, timer)
        with watch.spared(key):
            firsts[key] = take(1)
            samplers[key], loops[key] = take, _calibrate(take, min_sample)
    values = {key: [] for key in samplers}
    for key in _rounds(samplers, least, rounds, seed, deadline, timer):
        taken = watch.during(key, samplers[key], loops[key])
        values[key].append(taken / loops[key])
    return watch.samples(values, firsts, loops)


def sample(
    samplers,
    *,
    sizes=None,
    budget=2.5,
    least=MIN_ROUNDS,
    rounds=MAX_ROUNDS,
    seed=0,
    first="apart",
    timer=time.perf_counter,
):
    """Take samples that time themselves, side by side; return the Samples.

    samplers  {name: function}; called as ``f()``, or ``f(size)`` where
              `sizes` are given.  It returns the seconds of a call, or
              several series at once: {name: seconds}, or {(name, size):
              seconds}, the same ones each time; a Reading in the place of
              seconds tells counts as well
    sizes     list of sizes, or {name: list} where the samplers differ
    budget    seconds for the whole call; no round starts after it but the
              `least`
    rounds    at most so many samples of each
    seed      of the order within a round
    first     "apart": each sampler is called once before the rounds, and
              what it says then is kept as the first call; "unknown": it
              measures in a process of its own, or is warm already, so that
              it never sees one
    timer     clock, in seconds

    The times of a device's events, of a process that is asked, or of a
    counter: rounds and random order as in `measure`, and what is left out.
    Raises ValueError for no samplers or a budget that is not positive,
    ImportError where all are left out.
    """
    deadline = _deadline("sample", samplers, budget, timer)
    watch, calls = _Watch(), _keyed(samplers, sizes)
    firsts = {}
    if first == "apart":
        for key, call in calls.items():
            with watch.spared(key):
                answers = _answers(key, call())
                firsts |= {name: x.seconds for name, x in answers.items()}
        calls = {key: c for key, c in calls.items() if watch.has(key)}
    taken = {key: {} for key in calls}  # as given, whatever a round's order
    for key in _rounds(calls, least, rounds, seed, deadline, timer):
        with watch.spared(key):
            answers = _answers(key, watch.during(key, calls[key]))
            for name, reading in answers.items():
                taken[key].setdefault(name, []).append(reading)
    readings = {n: r for part in taken.values() for n, r in part.items()}
    values = {n: [r.seconds for r in some] for n, some in readings.items()}
    counts = {name: _counts(some) for name, some in readings.items()}
    sources = {name: key for key, part in taken.items() for name in part}
    return watch.samples(values, firsts, {}, sources, counts)


def _deadline(what, candidates, budget, timer):
    """Return when no round begins any more; ValueError for bad arguments."""
    _allowed()
    if not candidates:
        raise ValueError(f"{what}: no candidates")
    if not budget > 0:
        raise ValueError(f"{what}: budget {budget!r} must be above 0 seconds")
    return timer() + budget


def _rounds(keys, least, most, seed, deadline, timer):
    """Yield the keys in rounds, each in a new random order."""
    order, shuffle = list(keys), random.Random(seed).shuffle
    for done in range(most):
        if done >= least and timer() >= deadline:
            break
        shuffle(order)
        yield from order


def _answers(key, answer):
    """Return {(name, size): Reading} of what a sampler returned."""
    if not isinstance(answer, dict):
        answer = {key: answer}
    size = key[1]
    return {
        k if isinstance(k, tuple) else (k, size): (
            v if isinstance(v, Reading) else Reading(v)
        )
        for k, v in answer.items()
    }


def _counts(readings):
    """Return {what: counts, one a round} of a series' Readings."""
    return {
        what: tuple(float(reading.counts[what]) for reading in readings)
        for what in readings[0].counts
    }


def _keyed(candidates, sizes):
    """Return {(name, size): function without arguments}."""
    if sizes is None:
        return {(name, None): call for name, call in candidates.items()}
    return {
        (name, size): functools.partial(call, size)
        for name, call in candidates.items()
        for size in (sizes[name] if isinstance(sizes, dict) else sizes)
    }


class _Watch:
    """What the machine did meanwhile, where our own work was done, and what
    could not be.
    """

    def __init__(self):
        self._load, self._others = machine.load(), machine.Bystanders()
        self._spent = {}  # {key: processor seconds (of this thread, of all)}
        self._living = {}
        self._lacks = {}

    def spared(self, key):
        """Leave out what needs a library that is missing."""
        return libraries.spared(self._lacks, key[0])

    def has(self, key):
        """Tell whether nothing that this needs was missing so far."""
        return key[0] not in self._lacks

    def during(self, key, call, *arguments):
        """Return call(*arguments), and note the processor time it took."""
        if not self._spent:  # first calls, which may compile, are over
            self._living = machine.descendants()
        before = machine.processor_seconds()
        answer = call(*arguments)
        took = map(operator.sub, machine.processor_seconds(), before)
        spent = self._spent.get(key, (0.0, 0.0))
        self._spent[key] = tuple(map(operator.add, spent, took))
        return answer

    def _other_threads(self, key, others):
        """Return the share of a key's processor time outside this thread.

        What living children spent, as the workers of a pool, cannot be told
        apart by keys: it counts for each.
        """
        own, every = self._spent[key]
        every += others
        return max(0.0, 1 - own / every) if every > 0 else 0.0

    def samples(self, values, firsts, loops, sources=None, counts=None):
        """Return the Samples of {(name, size): samples}.

        sources  {(name, size): key of `during`}, where the two differ
        counts   {(name, size): {what: counts, one a round}}
        """
        if self._lacks and not values:
            raise libraries.Missing(next(iter(self._lacks.values())))
        others = self._others.cores()
        children = sum(
            spent - self._living.get(pid, 0.0)
            for pid, spent in machine.descendants().items()
        )
        return Samples(
            [
                Series(
                    *key,
                    first=firsts.get(key),
                    values=tuple(map(_rounded, samples)),
                    loops=loops.get(key, 1),
                    load=self._load,
                    others=others,
                    other_threads=self._other_threads(
                        sources[key] if sources else key, children
                    ),
                    counts=counts[key] if counts else {},
                )
                for key, samples in values.items()
            ],
            cores=os.cpu_count() or 1,
            missing=self._lacks,
        )


def _rounded(seconds):
    """Return what a clock can tell of a sample: seven digits.

    A nanosecond, its step, is that much of a sample of MIN_SAMPLE.  The other
    digits of a quotient would only be stored.
    """
    return float(f"{seconds:.7g}")


def _sampler(call, waits, timer):
    """Return take(loops) -> seconds of that many calls and one wait."""

    def take(loops):
        # Found anew each time: the first call may load a GPU library.
        idle = libraries.waits() if waits is None else waits

        def finish():
            for wait in idle:
                wait()

        finish()
        start = timer()
        taken = timeit.Timer(call, timer=timer).timeit(loops)
        if not idle:
            return taken
        finish()
        return timer() - start

    return take
