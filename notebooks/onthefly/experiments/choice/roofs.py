"""The roofs of this machine: how many bytes its memory moves in a second, and
how many operations on numbers its cores do.

A loop that does `flops` operations and moves `bytes` bytes an element is no
faster than either lets it be.  Source: Williams, Waterman and Patterson,
Roofline, CACM 2009.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from onthefly.experiments.memory import transfers
from onthefly.experiments.memory.buffers import aligned
from onthefly.kernels import pools
from onthefly.kernels.stencil import SWEEPS
from onthefly.measure.models import Fit

LINE = 64  # bytes of a line of a cache
NUMBER = 8  # bytes of a float64
LEAST = 2**14  # bytes: what the first cache holds on any machine
MOST = 2**29


@dataclass(frozen=True)
class Intensity:
    """What a loop does an element.

    flops  operations on floating-point numbers
    bytes  of the arrays, read and written, each once
    """

    flops: float
    bytes: float

    @property
    def ratio(self):
        """Operations a byte: the arithmetic intensity."""
        return self.flops / self.bytes


# Each array is counted once: neighbours of a stencil come from a cache.  What
# else the hardware moves, as a line that is read before it is written, is
# not.
INTENSITIES = {
    "polynomial": Intensity(6, 2 * NUMBER),
    "dot": Intensity(2, 2 * NUMBER),
    "filter": Intensity(3, 2 * NUMBER),
    "stencil": Intensity(4 * SWEEPS, 2 * NUMBER * SWEEPS),
}


def intensity(problem):
    """Return the Intensity of one of the eight problems.

    Raises ValueError for one that does no arithmetic on arrays of
    floating-point numbers.
    """
    if problem not in INTENSITIES:
        have = ", ".join(INTENSITIES)
        raise ValueError(f"{problem}: no intensity; there are: {have}")
    return INTENSITIES[problem]


@dataclass(frozen=True)
class Loop:
    """A compiled loop over arrays of float64.

    run     function (arrays …, times): goes over them so often, without
            the GIL
    arrays  how many it takes; of several, it writes the last
    flops   operations an element
    """

    run: Callable
    arrays: int
    flops: int

    @property
    def intensity(self):
        """What it does an element, as an Intensity."""
        return Intensity(self.flops, NUMBER * self.arrays)


def most(caches):
    """Return the bytes that no cache holds: four times the last one.

    caches  {name: bytes}
    """
    last = max(caches.values(), default=2**25)
    return min(4 * last, MOST)


def sizes(most, step=4):
    """Return bytes from LEAST to `most`, each `step` times the one before."""
    rising = [most]
    while rising[0] // step >= 2 * LEAST:
        rising.insert(0, rising[0] // step)
    return [LEAST, *rising]


def limit(ratio, peak, bandwidth):
    """Return the roof that holds at an intensity, in Gflop/s, a Quantity.

    ratio      operations a byte
    peak       Quantity of Gflop/s
    bandwidth  Quantity of GB/s
    """
    fed = (bandwidth * ratio).named("Gflop/s")
    return fed if fed.value < peak.value else peak


def share(problem, n, seconds, bandwidth):
    """Return which part of memory's roof a loop reaches, a Quantity.

    problem    one that has an intensity
    n          its size
    seconds    Quantity: the time of the loop
    bandwidth  Quantity of GB/s, of as many bytes
    """
    needed = transfers.bandwidth(seconds, intensity(problem).bytes * n)
    return (needed / bandwidth).named("%")


def roof(points, peak, bandwidth):
    """Return both roofs as a Fit, to be drawn over measured points.

    points  {operations a byte: Quantity of Gflop/s}
    peak, bandwidth  as in `limit`
    """

    def predict(ratio):
        return np.minimum(peak.value, bandwidth.value * np.asarray(ratio))

    off = [abs(predict(x) / q.value - 1) for x, q in points.items()]
    return Fit(
        "min(peak, bandwidth·intensity)",
        {"peak": peak, "bandwidth": bandwidth},
        (min(points), max(points)),
        float(max(off)),
        predict,
    )


class Room:
    """The memory that loops go over.

    most  bytes, of all arrays of a loop
    """

    def __init__(self, most):
        self.most = most

    @functools.cached_property
    def source(self):
        """What is read, and never written: its numbers stay 1."""
        return self._ones(self.most)

    @functools.cached_property
    def target(self):
        """What is written."""
        return self._ones(self.most // 2)

    @staticmethod
    def _ones(size):
        array = aligned(size // 4).view(np.float64)
        array[:] = 1.0
        return array

    def trial(self, loop, threads=1):
        """Return the Trial of a Loop in so many threads."""
        return Trial(self, loop, threads)


class Trial:
    """A loop over so many bytes, for the stopwatch: call it with them.

    room     a Room
    loop     a Loop
    threads  of which each has a part of the arrays to itself

    Each call moves about as many bytes as the room has: small arrays are gone
    over again and again, and so stay in their cache.
    """

    def __init__(self, room, loop, threads=1):
        self.room, self.loop, self.threads = room, loop, threads
        self._parts = functools.cache(self._parted)

    def __call__(self, size):
        """Go over `size` bytes, several times."""
        parts, times = self._parts(size), self._times(size)
        if len(parts) == 1:
            self.loop.run(*parts[0], times)
            return
        pool = pools.threads(self.threads)
        for waited in [pool.submit(self.loop.run, *p, times) for p in parts]:
            waited.result()

    def bandwidth(self, seconds, size):
        """Return the GB/s of calls that take so long, a Quantity."""
        moved = self._elements(size) * self._bytes
        return transfers.bandwidth(seconds, moved)

    def speed(self, seconds, size):
        """Return the Gflop/s of calls that take so long, a Quantity."""
        flops = self._elements(size) * self.loop.flops
        return (flops / 1e9 / seconds).named("Gflop/s")

    @property
    def _bytes(self):
        return self.loop.intensity.bytes

    def _times(self, size):
        return max(1, self.room.most // size)

    def _length(self, size):
        """Return the elements of a thread: whole lines of the cache."""
        step = LINE // NUMBER
        return max(step, size // self._bytes // self.threads // step * step)

    def _elements(self, size):
        """Return how many elements a call goes over."""
        return self._length(size) * self.threads * self._times(size)

    def _parted(self, size):
        """Return the arrays of each thread: what it reads, what it writes."""
        length, reads = self._length(size), max(1, self.loop.arrays - 1)
        writes = self.loop.arrays - reads

        def cut(array, number):
            return array[number * length : (number + 1) * length]

        return [
            [cut(self.room.source, reads * t + k) for k in range(reads)]
            + [cut(self.room.target, t)] * writes
            for t in range(self.threads)
        ]
