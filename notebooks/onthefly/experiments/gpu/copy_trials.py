"""The device's part of the chapter on copies, as measurements.

Each returns Timings and takes the place: "cuda", or "cpu", where the same
code runs and measures nothing but itself.  `how` goes to ``clock.measure``.
CuPy is loaded only by those that fetch.

Sources: Okuda, PyCon JP 2018, slides 32 to 34; Okuda, TFUG 2018, slides 14
and 20.
"""

import itertools
import os
import time

import numpy as np

from onthefly import machine
from onthefly.clock import measure
from onthefly.experiments.memory import faults
from onthefly.kernels import copy_torch
from onthefly.kernels.copy_torch import torch
from onthefly.timings import Series, Timings

MEMORIES = ("pageable", "pinned")


def _pinned(memory, place):
    """Tell whether to lock the pages; the CPU has no such memory."""
    return memory == "pinned" and place != "cpu"


def both_ways(place, sizes, **how):
    """Time copies in and out of `sizes` bytes, in both kinds of memory."""
    ways = {}
    for memory in MEMORIES:
        made = {
            n: copy_torch.pair(n, place, _pinned(memory, place))
            for n in sizes
        }
        ways[f"in, {memory}"] = lambda n, m=made: copy_torch.copy_in(*m[n])
        ways[f"out, {memory}"] = lambda n, m=made: copy_torch.copy_out(
            *reversed(m[n])
        )
    return measure(ways, sizes=sizes, **how)


def without_waiting(place, size, rounds=12):
    """Time when a copy returns, and when it is done: no size, in rounds."""
    samples, watch = {}, machine.Bystanders()

    def keep(name, seconds, turn):
        if turn:  # the first round allocates
            samples.setdefault(name, []).append(seconds)

    for memory in MEMORIES:
        given, there = copy_torch.pair(size, place, _pinned(memory, place))
        pairs = {"in": (given, there), "out": (there, given)}
        for turn, (way, pair) in itertools.product(
            range(rounds + 1), pairs.items()
        ):
            returned, done = copy_torch.returns(*pair)
            keep(f"{way}, {memory}: returned", returned, turn)
            keep(f"{way}, {memory}: done", done, turn)
    given, _ = copy_torch.pair(size, place)
    for turn in range(rounds + 1):
        start = time.perf_counter()
        copy_torch.pin_on_the_way(given, place)
        taken = time.perf_counter() - start
        keep("in, pinned on the way: done", taken, turn)
    return Timings.from_samples(samples, watch)


def read_too_early(place, size, trials=20):
    """Return rows: how often a copy out was read before it was done."""
    rows = []
    for memory in MEMORIES:
        target, there = copy_torch.pair(size, place, _pinned(memory, place))
        there.fill_(7)
        old = sum(copy_torch.too_early(there, target) for _ in range(trials))
        rows.append(
            {"copied out to": memory, "last byte old": f"{old} of {trials}"}
        )
    return rows


def reads(sizes, **how):
    """Time slide 32's ways to one random number, and fetching alone."""
    from onthefly.kernels import copy_cupy

    drawn = {n: copy_cupy.vector(n) for n in sizes}
    first = sizes[0]
    assert np.array_equal(copy_cupy.fetch(drawn[first]), np.arange(first))
    ways = {
        "NumPy": copy_cupy.host,
        "Array": copy_cupy.array,
        "Scalar": copy_cupy.scalar,
        "copy alone": lambda n: copy_cupy.fetch(drawn[n]),
    }
    return measure(ways, sizes=sizes, **how)


def fetches(sizes):
    """Return {way: call(bytes)} that fetch to three kinds of target."""
    from onthefly.kernels import copy_cupy

    there = {n: copy_cupy.vector(n // 8) for n in sizes}
    used = {n: np.ones(n // 8) for n in sizes}
    kept = {n: copy_cupy.pinned(n // 8) for n in sizes}
    return {
        "fresh": lambda n: copy_cupy.fetch(there[n]),
        "used before": lambda n: copy_cupy.fetch(there[n], used[n]),
        "pinned": lambda n: copy_cupy.fetch(there[n], kept[n]),
    }


def fetch_faults(ways, sizes):
    """Return rows: the page faults of one call of each way and size."""
    return [
        {"bytes": n}
        | {k: faults.of_call(call, n) for k, call in ways.items()}
        for n in sizes
    ]


class Pipeline:
    """A pipeline of copy in, work and copy out, ready to run.

    place   where the work is done
    count   numbers, in single precision
    chunks  parts
    """

    def __init__(self, place, count, chunks=4):
        x, out = torch.rand(count), torch.empty(count)
        self._flat = x, out
        if place != "cpu":
            x, out = x.pin_memory(), out.pin_memory()
        self._pair, self._place, self._chunks = (x, out), place, chunks
        self._steps = copy_torch.balance(x, place)
        self._streams = {
            n: copy_torch.lanes(place, n) for n in (1, 2, chunks)
        }

    def run(self, streams, mark=None, pair=None):
        """Run it on 1, 2 or `chunks` streams; return the result."""
        return copy_torch.pipeline(
            *(pair or self._pair),
            self._chunks,
            self._streams[streams],
            self._steps,
            self._place,
            mark,
        )

    def expected(self):
        """Return the result as the host computes it."""
        return copy_torch.work(self._pair[0], self._steps)

    def overlap(self, **how):
        """Time it on one stream and more, and its parts alone."""
        x, out = self._pair
        there = x.to(self._place)
        ways = {
            "copy in": lambda: copy_torch.copy_in(x, there),
            "work": lambda: copy_torch.work(there, self._steps),
            "copy out": lambda: copy_torch.copy_out(there, out),
            "one stream": lambda: self.run(1),
            "two streams": lambda: self.run(2),
            "a stream a chunk": lambda: self.run(self._chunks),
            "two streams, pageable": lambda: self.run(2, pair=self._flat),
        }
        return measure(ways, **how)

    def timeline(self, rounds=12):
        """Mark where each stage of each chunk begins, by events.

        Returns Timings: series "<streams>, <stage>" against the chunk,
        from 1, of seconds after the first mark.
        """
        found, watch = {}, machine.Bystanders()
        for name, streams in (("one stream", 1), ("two streams", 2)):
            for turn in range(rounds + 1):
                mark = copy_torch.Marks(self._place)
                self.run(streams, mark)
                for (stage, chunk), seconds in mark.seconds().items():
                    key = f"{name}, {stage}", chunk
                    if turn:  # the first round allocates
                        # pyperf, which keeps them, wants no zeros
                        found.setdefault(key, []).append(max(seconds, 1e-9))
        others = watch.cores()
        return Timings(
            [
                Series(*key, values[0], tuple(values), others=others)
                for key, values in found.items()
            ],
            os.cpu_count() or 1,
        )


def operations(place, sizes, seed=0, **how):
    """Time each operation by NumPy, on the device, and the whole way.

    Series "<operation>, <NumPy, resident or there and back>", against the
    numbers of the argument, which are squares.
    """
    ways = {}
    for name, (by_numpy, by_torch, *_) in copy_torch.OPERATIONS.items():
        given = {n: copy_torch.operand(name, n, seed) for n in sizes}
        there = {n: torch.from_numpy(a).to(place) for n, a in given.items()}
        ways[f"{name}, NumPy"] = lambda n, f=by_numpy, a=given: f(a[n])
        ways[f"{name}, resident"] = lambda n, f=by_torch, x=there: f(x[n])
        ways[f"{name}, there and back"] = lambda n, k=name, a=given: (
            copy_torch.there_and_back(k, a[n], place)
        )
    return measure(ways, sizes=sizes, **how)


def tried(place, sizes, seed=0, **how):
    """Time NumPy against the whole way, each operation at a size of its own.

    sizes  {operation: numbers}

    Series of no size, "<operation>, <NumPy or there and back>".
    """
    ways = {}
    for name, size in sizes.items():
        given = copy_torch.operand(name, size, seed)
        by_numpy = copy_torch.OPERATIONS[name][0]
        ways[f"{name}, NumPy"] = lambda f=by_numpy, a=given: f(a)
        ways[f"{name}, there and back"] = lambda k=name, a=given: (
            copy_torch.there_and_back(k, a, place)
        )
    return measure(ways, **how)
