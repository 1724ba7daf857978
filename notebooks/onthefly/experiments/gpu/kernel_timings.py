"""Timings of the CUDA kernels on a device.

What they measure needs a device; the simulator runs them at small sizes, and
its times mean nothing.
"""

import dataclasses
import functools

import numpy as np
from numba import cuda  # the simulator looks for this name

from onthefly.clock import measure
from onthefly.kernels import pi_cuda, pi_cuda_float32, pi_cuda_sums
from onthefly.timings import Series, Timings

SEED = 2018
BLOCK = 256  # threads
MOST = 2**20  # threads of a launch
TALK = f"{pi_cuda.THREADS} a block"
PRECISIONS = {
    "uniform_float64": pi_cuda.hits_stride,
    "uniform_float32": pi_cuda_float32.hits_float32,
    "24 bits, float32": pi_cuda_float32.hits_single,
}


def _states(count):
    return cuda.to_device(pi_cuda.states_hashed(SEED, count))


def _zeros(count):
    return cuda.to_device(np.zeros(count, np.int64))


def sums(streams, budget, sizes=(1, 16, 256), block=BLOCK):
    """Return the Timings of each way to add up, by shots a thread.

    streams  threads of the launch, in blocks of `block`

    A sample launches the kernel and fetches the result.
    """
    states = _states(streams)

    def run(way, total, shots):
        launch = pi_cuda_sums.WAYS[way][streams // block, block]
        launch(shots * streams, total, states)
        return int(total.copy_to_host().sum())

    ways = {
        way: functools.partial(
            run, way, _zeros(streams if way == "slots" else 1)
        )
        for way in pi_cuda_sums.WAYS
    }
    return measure(ways, sizes=list(sizes), budget=budget)


def launches(
    shots,
    budget,
    blocks=(1, 10, 40, 160, 640, 2560, 10_240),
    threads=(pi_cuda.THREADS, 32, 256, 1024),
):
    """Return the Timings of the same shots by launches of other shapes.

    The series are named by the threads a block; the sizes are blocks.
    """
    most = min(max(threads) * blocks[-1], MOST)
    states, hits = _states(most), _zeros(most)

    def run(count, size):
        pi_cuda.hits_stride[size, count](shots, hits, states)

    return measure(
        {f"{n} a block": functools.partial(run, n) for n in threads},
        sizes={
            f"{n} a block": [b for b in blocks if b * n <= most]
            for n in threads
        },
        budget=budget,
    )


def best_launch(timings):
    """Return (name, blocks, gain) of the fastest of the `launches`.

    gain  how many times as fast it is as the talk's launch
    """
    spots = [(s.name, s.size) for s in timings]
    name, size = min(spots, key=lambda spot: timings.seconds(*spot).value)
    talk = timings.series(TALK, pi_cuda.BLOCKS)
    best = dataclasses.replace(timings.series(name, size), name="best",
                               size=talk.size)  # fmt: skip
    pair = Timings([talk, best], timings.cores, timings.origin)
    return name, size, pair.ratio(TALK, "best", talk.size)


def precision(shots, streams, budget, block=BLOCK):
    """Return the Timings of the kernels of each of the PRECISIONS."""
    states, hits = _states(streams), _zeros(streams)
    return measure(
        {
            name: functools.partial(
                kernel[streams // block, block], shots, hits, states
            )
            for name, kernel in PRECISIONS.items()
        },
        budget=budget,
    )


def calls(budget, sizes=(10, 100, 1000, 10_000), rounds=20):
    """Return the Timings of the talk's call and its parts, by shots a thread.

    The kernel's own time comes from CUDA events, which the device stamps
    before and after it.
    """
    count = pi_cuda.BLOCKS * pi_cuda.THREADS
    launch = pi_cuda.pi_each[pi_cuda.BLOCKS, pi_cuda.THREADS]
    states, pi = pi_cuda.stream(1), cuda.to_device(np.ones(count))

    def kept(shots):
        launch(shots, pi, states)
        return pi.copy_to_host().mean()

    def by_events(shots):
        start, end, found = cuda.event(), cuda.event(), []
        for _ in range(rounds + 1):
            start.record()
            launch(shots, pi, states)
            end.record()
            end.synchronize()
            found.append(start.elapsed_time(end) / 1000)
        return Series("kernel, by events", shots, found[0], tuple(found[1:]))

    found = measure(
        {
            "talk's call": pi_cuda.pi_talk,
            "states kept": kept,
            "states alone": lambda _: pi_cuda.stream(1),
        },
        sizes=list(sizes),
        budget=budget,
    )
    return Timings([*found, *map(by_events, sizes)], found.cores)
