"""The kernel of pi_limit on several threads, beside two controls that tell
what the processor itself gains: a chain of additions, and a mix of the
kernel's own instructions.
"""

import functools
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from onthefly.experiments.speed import limits, throughput
from onthefly.kernels.pi import pi_limit
from onthefly.measure.quantity import Quantity

CHAIN, MIX = 1_600_000, 4_800_000  # turns of a control in a call
FASTEST = "Numba, int"
CONTROLS = ("chain", "mix")  # each thread does the whole work


def ways(shots, seed, twins):
    """Return {name: function of threads that returns the hits of a run}.

    shots  of the run, which the threads share by blocks
    seed   of the run
    twins  the library of pi_limit_c
    """
    blocks, seed = -(-shots // pi_limit.BLOCK), np.uint64(seed)

    def prange(threads):
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        return pi_limit.hits_prange(blocks, shots, seed)

    return {
        "nogil threads": lambda threads: pi_limit.hits_limit_threads(
            shots, threads, seed
        ),
        "prange": prange,
        "OpenMP": lambda threads: twins.hits_openmp(
            shots, int(seed), threads
        ),
    }


def chain(threads):
    """Let each thread add, every addition waiting for the one before."""
    limits.check()
    call, _ = throughput.chain()
    _together(call, CHAIN, threads)


def mix(threads):
    """Let each thread run the kernel's instructions, none waiting."""
    _together(limits.call(FASTEST), MIX, threads)


def _together(call, turns, threads):
    """Call once in each thread; the calls release the GIL."""
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(call, [turns] * threads))


def jobs(kernels, counts):
    """Return {"name, threads": call} of each way at each count of threads.

    kernels  {name: function of threads}
    counts  of threads; prange is left out beyond what Numba allows
    """
    most = numba.config.NUMBA_NUM_THREADS
    return {
        f"{name}, {n}": functools.partial(way, n)
        for n in counts
        for name, way in kernels.items()
        if name != "prange" or n <= most
    }


def speeds(times):
    """Return {name: {threads: speed-up over one thread}}, as Quantities.

    times  Timings of `jobs`; a control's work grows with its threads
    """
    gains = {}
    for each in times.names:
        name, _, threads = each.rpartition(", ")
        n = int(threads)
        work = n if name in CONTROLS else 1
        gain = times.ratio(f"{name}, 1", each) * work
        gain = gain if n > 1 else Quantity.exact(1, "×")
        gains.setdefault(name, {})[n] = gain
    return gains
