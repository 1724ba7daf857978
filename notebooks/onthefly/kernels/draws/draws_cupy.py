"""Random numbers drawn on a GPU by several Python threads.

The ways of `draws`, for CuPy and PyTorch: one generator for all threads or
one each, on the null stream or on a stream each.  Import it only where CuPy,
PyTorch and a device are present.
"""

import dataclasses

import cupy as cp
import numpy as np
import torch

from onthefly.kernels import draws, split, z_score
from onthefly.kernels.pi import pi_cupy
from onthefly.kernels.spin import spin_cupy

HOLDS = 0.05, 0.2, 0.8  # seconds: all draws of a row must be in line by then


@dataclasses.dataclass(frozen=True)
class Way:
    """Who draws from what, and where.

    rngs     for each thread what has ``random(size)``
    streams  for each thread its stream
    """

    rngs: list
    streams: list

    def __call__(self, thread, size):
        """Draw `size` numbers in a thread; do not wait for them."""
        with self.streams[thread]:
            return self.rngs[thread].random(size)

    def hold(self, seconds):
        """Keep every stream busy for so long: what comes next waits.

        Returns an event of each stream, which is done when its hold ends.
        """
        ends = []
        for stream in set(self.streams):
            with stream:
                spans = cp.zeros((1, 3), cp.uint64)
                spin_cupy.launch(round(seconds * 1e9), spans)
                ends.append(stream.record())
        return ends

    def hits(self, thread, shots):
        """Return the hits of a thread's shots; wait for its stream."""
        with self.streams[thread]:
            return int(pi_cupy.hits_cupy(shots, self.rngs[thread]))


class _Torch:
    """PyTorch's numbers on CuPy's current stream, as an array of CuPy."""

    def __init__(self, generator=None):
        self._generator = generator

    def random(self, size):
        handle = cp.cuda.get_current_stream().ptr
        with torch.cuda.stream(torch.cuda.ExternalStream(handle)):
            tensor = torch.rand(size, dtype=torch.float64, device="cuda",
                               generator=self._generator)  # fmt: skip
        return cp.asarray(tensor)


def _own_streams(threads):
    return [cp.cuda.Stream(non_blocking=True) for _ in range(threads)]


def _made(rngs, streams):
    """Return the Way once the device has made all of it."""
    cp.cuda.Device().synchronize()
    return Way(rngs, streams)


def cupy_null(seed, threads):
    """CuPy's own generator, and the one stream that there is by default."""
    cp.random.seed(seed)
    return _made([cp.random] * threads, [cp.cuda.Stream.null] * threads)


def cupy_shared(seed, threads):
    """CuPy's own generator; a stream each."""
    cp.random.seed(seed)
    return _made([cp.random] * threads, _own_streams(threads))


def generator_shared(seed, threads):
    """One of CuPy's newer generators; a stream each."""
    rng = cp.random.default_rng(seed)
    return _made([rng] * threads, _own_streams(threads))


def generator_each(seed, threads):
    """A generator each, from children of one seed; a stream each."""
    children = np.random.SeedSequence(seed).spawn(threads)
    rngs = [cp.random.default_rng(child) for child in children]
    return _made(rngs, _own_streams(threads))


def torch_shared(seed, threads):
    """PyTorch's own generator; a stream each."""
    torch.cuda.manual_seed(seed)
    return _made([_Torch()] * threads, _own_streams(threads))


def torch_each(seed, threads):
    """A generator of PyTorch each, from children of one seed."""
    children = np.random.SeedSequence(seed).spawn(threads)
    rngs = [
        _Torch(torch.Generator("cuda").manual_seed(int(word)))
        for child in children
        for word in child.generate_state(1, np.uint64) >> np.uint64(1)
    ]
    return _made(rngs, _own_streams(threads))


WAYS = {
    "CuPy, shared, null stream": cupy_null,
    "CuPy, shared, own streams": cupy_shared,
    "CuPy Generator, shared, own streams": generator_shared,
    "CuPy Generator each, own streams": generator_each,
    "torch, shared, own streams": torch_shared,
    "torch generator each, own streams": torch_each,
}


def join(arrays):
    """Wait for the device; return the arrays in one."""
    cp.cuda.Device().synchronize()
    whole = cp.concatenate(arrays)
    cp.cuda.Stream.null.synchronize()  # before the parts are given back
    return whole


def behind_a_hold(way, threads, size, calls):
    """Return what the threads drew, all of it in line before any began.

    Raises RuntimeError where even the longest of HOLDS ends too early.
    """
    for seconds in HOLDS:
        ends, early = way.hold(seconds), []

        def in_line(arrays, ends=ends, early=early):
            early.append(any(end.done for end in ends))
            return join(arrays)

        drawn = draws.drawn(way, threads, size, calls, in_line)
        if not any(early):
            return drawn
    raise RuntimeError(f"draws: not all in line within {HOLDS[-1]} s")


def row(name, seed=0, threads=8, size=2**18, calls=8, sample=10**5):
    """Return a table's row: what `threads` threads drew by this way.

    size, calls  a thread draws `size` numbers `calls` times, without waiting
    sample       numbers a thread for the test of distribution

    All draws are in line behind a hold when the first begins, so that how
    fast Python hands them over does not decide which ones meet.
    """
    way = WAYS[name](seed, threads)
    draws.drawn(way, threads, size, calls, join)  # loads and allocates
    drawn = behind_a_hold(way, threads, size, calls)
    count = threads * size * calls
    few = [cp.asnumpy(numbers[:sample]) for numbers in drawn]
    return {
        "way": name,
        "numbers": f"{count:,}",
        "drawn before": draws.repeats(drawn, cp),
        "by chance, about": round(draws.by_chance(count), 2),
        "p of one distribution": round(draws.same_distribution(few), 3),
    }


def deviations(name, shots, threads, trials, seed=0):
    """Return the errors of so many estimates of π, in deviations."""
    way, parts = WAYS[name](seed, threads), split(shots, threads)

    def estimate():
        hits = draws.in_threads(lambda k: way.hits(k, parts[k]), threads)
        return 4.0 * sum(hits) / shots

    return [z_score(estimate(), shots) for _ in range(trials)]
