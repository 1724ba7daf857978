"""The device's part of the chapter on copies, as measurements.

Each returns Timings and takes the place: "cuda", or "cpu", where the same
code runs and measures nothing but itself.  `how` goes to ``clock.measure``.
CuPy is loaded only by those that fetch.

Sources: Okuda, PyCon JP 2018, slides 32 to 34; Okuda, TFUG 2018, slides 14
and 20.
"""

import functools
import time

import numpy as np

from onthefly.clock import measure, sample
from onthefly.experiments.gpu import marks
from onthefly.experiments.memory import faults
from onthefly.kernels import copy_torch
from onthefly.kernels.copy_torch import torch

MEMORIES = ("pageable", "pinned")


def _pinned(memory, place):
    """Tell whether to lock the pages; the CPU has no such memory."""
    return memory == "pinned" and place != "cpu"


def _of(arguments, call):
    """Return call(n), which calls with the arguments kept for n."""
    return lambda n: call(*arguments[n])


def both_ways(place, sizes, **how):
    """Time copies in and out of `sizes` bytes, in both kinds of memory."""
    ways = {}
    for memory in MEMORIES:
        made = {
            n: copy_torch.pair(n, place, _pinned(memory, place))
            for n in sizes
        }
        back = {n: (there, here) for n, (here, there) in made.items()}
        ways[f"in, {memory}"] = _of(made, copy_torch.copy_in)
        ways[f"out, {memory}"] = _of(back, copy_torch.copy_out)
    return measure(ways, sizes=sizes, **how)


def without_waiting(place, size, **how):
    """Time when a copy returns, and when it is done: no size, in rounds.

    how  goes to ``clock.sample``
    """
    samplers = {}
    for memory in MEMORIES:
        given, there = copy_torch.pair(size, place, _pinned(memory, place))
        pairs = {"in": (given, there), "out": (there, given)}
        for way, pair in pairs.items():
            name = f"{way}, {memory}"
            samplers[name] = functools.partial(_returns, name, *pair)
    given, _ = copy_torch.pair(size, place)
    samplers["in, pinned on the way: done"] = functools.partial(
        _on_the_way, given, place
    )
    return sample(samplers, **how)


def _returns(name, source, target):
    returned, done = marks.returns(source, target)
    return {f"{name}: returned": returned, f"{name}: done": done}


def _on_the_way(given, place):
    copy_torch.forget_pinned(place)  # or only the first would lock pages
    start = time.perf_counter()
    copy_torch.pin_on_the_way(given, place)
    return time.perf_counter() - start


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
        self._steps = marks.balance(x, place)
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

    def timeline(self, **how):
        """Mark where each stage of each chunk begins, by events.

        how  goes to ``clock.sample``

        Returns Timings: series "<streams>, <stage>" against the chunk,
        from 1, of seconds after the first mark.
        """
        ways = {"one stream": 1, "two streams": 2}
        return sample(
            {name: functools.partial(self._marked, name, streams)
             for name, streams in ways.items()},
            **how,
        )  # fmt: skip

    def _marked(self, name, streams):
        mark = marks.Marks(self._place)
        self.run(streams, mark)
        return {
            # pyperf, which keeps them, wants no zeros
            (f"{name}, {stage}", chunk): max(seconds, 1e-9)
            for (stage, chunk), seconds in mark.seconds().items()
        }


def operations(place, sizes, seed=0, **how):
    """Time each operation by NumPy, on the device, and the whole way.

    Series "<operation>, <NumPy, resident or there and back>", against the
    numbers of the argument, which are squares.
    """
    ways = {}
    for name, (by_numpy, by_torch, *_) in copy_torch.OPERATIONS.items():
        given = {n: (copy_torch.operand(name, n, seed),) for n in sizes}
        there = {
            n: (torch.from_numpy(array).to(place),)
            for n, (array,) in given.items()
        }
        away = functools.partial(copy_torch.there_and_back, name)
        sent = {n: (array, place) for n, (array,) in given.items()}
        ways[f"{name}, NumPy"] = _of(given, by_numpy)
        ways[f"{name}, resident"] = _of(there, by_torch)
        ways[f"{name}, there and back"] = _of(sent, away)
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
        ways[f"{name}, NumPy"] = functools.partial(by_numpy, given)
        ways[f"{name}, there and back"] = functools.partial(
            copy_torch.there_and_back, name, given, place
        )
    return measure(ways, **how)
