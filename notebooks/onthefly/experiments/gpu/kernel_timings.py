"""Timings of the CUDA kernels on a device.

What they measure needs a device; the simulator runs them at small sizes, and
its times mean nothing.
"""

import functools

import numpy as np
from numba import cuda  # the simulator looks for this name

from onthefly.experiments.gpu.events import Stopwatch
from onthefly.kernels.pi import pi_cuda, pi_cuda_float32, pi_cuda_sums
from onthefly.measure.clock import measure, sample, seconds
from onthefly.tools import occupancy

SEED = 2018
BLOCK = 256  # threads
MOST = 2**20  # threads of a launch
IN_LINE = 10  # launches between two events
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


def held(kernels, block=BLOCK):
    """Return how many threads the device holds at once, of any kernel given.

    kernels  with the arguments of `pi_cuda.hits_stride`
    block    threads of a block

    The one that takes most registers or shared memory decides: of a launch
    of more, the last blocks would run on a device that is empty in part.
    """
    limits = occupancy.present(cuda.get_current_device())
    return block * min(
        occupancy.wave(limits, block, *_needs(kernel, block))
        for kernel in kernels
    )


def _needs(kernel, block):
    """Return a thread's registers and a block's shared memory, in bytes.

    As the kernel is compiled for the device that is here.
    """
    kernel[1, block](0, _zeros(1), _states(1))  # compiles, and counts no shot
    made = kernel.overloads.values()
    return (
        max(one.regs_per_thread for one in made),
        max(one.shared_mem_per_block for one in made),
    )


def sums(budget, sizes=(1, 16, 256), streams=None, block=BLOCK):
    """Return the Timings of each way to add up, by shots a thread.

    streams  threads of the launch, in blocks of `block`; by default as many
             as the device holds of any of the ways

    A sample launches the kernel and fetches the result.
    """
    streams = streams or held(pi_cuda_sums.WAYS.values(), block)
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
    times = {(s.name, s.size): timings.seconds(s.name, s.size)
             for s in timings}  # fmt: skip
    name, size = min(times, key=lambda spot: times[spot].value)
    return name, size, times[TALK, pi_cuda.BLOCKS] / times[name, size]


def precision(shots, budget, streams=None, block=BLOCK):
    """Return the Timings of the kernels of each of the PRECISIONS.

    streams  threads of each launch, in blocks of `block`; by default as many
             as the device holds of each kernel
    """
    threads = {
        name: streams or held([kernel], block)
        for name, kernel in PRECISIONS.items()
    }
    most = max(threads.values())
    states, hits = _states(most), _zeros(most)
    return measure(
        {
            name: functools.partial(
                kernel[threads[name] // block, block], shots, hits, states
            )
            for name, kernel in PRECISIONS.items()
        },
        budget=budget,
    )


def calls(budget, sizes=(10, 100, 1000, 10_000), blocks=pi_cuda.BLOCKS,
          threads=pi_cuda.THREADS):  # fmt: skip
    """Return the Timings of the talk's call and its parts, by shots a thread.

    blocks, threads  of the launch

    The kernel's own time comes from CUDA events, which the device stamps
    before and after some launches, all of them in line behind a longer one.
    """
    count = blocks * threads
    kernel = pi_cuda.pi_each[blocks, threads]
    states, pi = pi_cuda.stream(1, count), cuda.to_device(np.ones(count))
    watch = Stopwatch(cuda.event, lambda shots: kernel(shots, pi, states))

    def talk(shots):
        return pi_cuda.pi_talk(shots, blocks, threads)

    def kept(shots):
        kernel(shots, pi, states)
        return pi.copy_to_host().mean()

    def alone(shots):
        return pi_cuda.stream(1, count)

    def by_events(shots):
        def launch():
            for _ in range(IN_LINE):
                kernel(shots, pi, states)

        return watch.seconds(launch) / IN_LINE

    return sample(
        {
            "talk's call": functools.partial(seconds, talk),
            "states kept": functools.partial(seconds, kept),
            "states alone": functools.partial(seconds, alone),
            "kernel, by events": by_events,
        },
        sizes=list(sizes),
        budget=budget,
    )
