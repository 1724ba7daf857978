"""Measure candidates side by side: the book's only stopwatch.

``timeit.Timer`` takes the samples (garbage collection off, ``perf_counter``);
this module decides their order and their number.
"""

import functools
import os
import random
import time
import timeit

from onthefly import libraries, machine
from onthefly.timings import Series, Timings

MIN_SAMPLE = 0.01  # seconds: far above the clock's step and Timer's own cost
MAX_ROUNDS = 60


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
    rounds=MAX_ROUNDS,
    seed=0,
    min_sample=MIN_SAMPLE,
    wait=None,
    timer=time.perf_counter,
):
    """Measure `candidates` side by side and return their Timings.

    candidates  {name: function}; called as ``f()``, or ``f(size)`` where
                `sizes` are given
    sizes       list of sizes, or {name: list} where the candidates differ
    budget      seconds for the whole call; no round starts after it
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

    Raises ValueError for no candidates or a budget that is not positive.
    """
    if not candidates:
        raise ValueError("measure: no candidates")
    if not budget > 0:
        raise ValueError(
            f"measure: budget {budget!r} must be above 0 seconds"
        )
    start, load = timer(), machine.load()
    bystanders = machine.Bystanders()
    calls = _calls(candidates, sizes)
    waits = [wait] if wait else None
    samplers, firsts, loops = {}, {}, {}
    for key, call in calls.items():
        sample = samplers[key] = _sampler(call, waits, timer)
        firsts[key] = sample(1)
        loops[key] = _calibrate(sample, min_sample)
    values = {key: [] for key in calls}
    order, shuffle = list(calls), random.Random(seed).shuffle
    for done in range(rounds):
        if done and timer() - start >= budget:
            break
        shuffle(order)
        for key in order:
            values[key].append(samplers[key](loops[key]) / loops[key])
    others = bystanders.cores()
    return Timings(
        [
            Series(
                *key,
                first=firsts[key],
                values=tuple(values[key]),
                loops=loops[key],
                load=load,
                others=others,
            )
            for key in calls
        ],
        cores=os.cpu_count() or 1,
    )


def _calls(candidates, sizes):
    """Return {(name, size): function without arguments}."""
    if sizes is None:
        return {(name, None): call for name, call in candidates.items()}
    return {
        (name, size): functools.partial(call, size)
        for name, call in candidates.items()
        for size in (sizes[name] if isinstance(sizes, dict) else sizes)
    }


def _sampler(call, waits, timer):
    """Return sample(loops) -> seconds of that many calls and one wait."""

    def sample(loops):
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

    return sample
