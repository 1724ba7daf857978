"""π on a CUDA device: the talk's kernel, and one that any launch may run.
Source: Okuda, PyCon JP 2018, slides 25 and 51.

Kernels get their random numbers from `numba.cuda.random`: a xoroshiro128+ of
its own for each thread, 2^64 numbers apart from the next one's.
"""

import warnings

import numba
import numpy as np
from numba import cuda  # the simulator looks for this name
from numba.cuda.random import (
    init_xoroshiro128p_states_cpu,
    xoroshiro128p_dtype,
    xoroshiro128p_uniform_float64,
)

from onthefly.kernels import check_shots, splitmix

BLOCKS, THREADS = 40, 25  # the talk's launch

# Launches as small as the talk's are meant here, and arrays of the host, too.
warnings.filterwarnings("ignore", ".*Grid size")
warnings.filterwarnings("ignore", ".*Host array used")


def missing():
    """Return "" where kernels can run, else what is missing."""
    return "" if cuda.is_available() else "no CUDA device"


def states(seed, count):
    """Return the states of so many streams: a NumPy array on the host."""
    made = np.empty(count, xoroshiro128p_dtype)
    init_xoroshiro128p_states_cpu(made, seed, 0)
    return made


def states_hashed(seed, count):
    """Return the states of so many streams, each at a place of its own.

    The places are hashed from seed and number by SplitMix64, and so lie at
    random on the generator's cycle of 2^128 - 1 states: n streams of length
    m overlap with a probability below n² · m / 2^128.
    """
    place = np.arange(1, 2 * count + 1, dtype=np.uint64) * splitmix.STEP
    words = splitmix.mix(place + np.uint64(seed))
    return words.view(xoroshiro128p_dtype)


def stream(seed, count=BLOCKS * THREADS):
    """Return the states of so many streams, on the device."""
    return cuda.to_device(states(seed, count))


@numba.njit
def hits_thread(shots, states, k):
    """Count the hits of so many shots of stream k.

    Compiled for the processor where Python calls it, and for the device
    where a kernel does.
    """
    hits = 0
    for _ in range(shots):
        x = xoroshiro128p_uniform_float64(states, k)
        y = xoroshiro128p_uniform_float64(states, k)
        if x * x + y * y <= 1.0:
            hits += 1
    return hits


@cuda.jit
def pi_each(shots, pi, states):
    """Each thread estimates π from so many shots: the talk's kernel."""
    k = cuda.grid(1)
    if k < pi.size:
        pi[k] = 4.0 * hits_thread(shots, states, k) / shots


@numba.njit
def share(shots, k, streams):
    """Return how many of the shots fall to stream k: k, k + streams, …"""
    return (shots - k + streams - 1) // streams


@numba.njit
def fewer(a, b):
    """Return the smaller number.  (Numba's built-in CUDA target does not
    compile `min`.)"""
    return a if a < b else b


@cuda.jit
def hits_stride(shots, hits, states):
    """Share any number of shots among any number of threads.

    hits    zeros, one element a stream; gets the hits of each
    states  one a stream; threads beyond them do nothing
    """
    k = cuda.grid(1)
    streams = fewer(states.size, cuda.gridsize(1))
    if k < streams:
        hits[k] = hits_thread(share(shots, k, streams), states, k)


@numba.njit
def hits_streams(shots, states):
    """Count on the processor what `hits_stride` counts in each thread."""
    hits = np.zeros(states.size, np.int64)
    for k in range(states.size):
        hits[k] = hits_thread(share(shots, k, states.size), states, k)
    return hits


@cuda.jit
def who(block, thread):
    """Each thread writes down its block and its place in it."""
    k = cuda.grid(1)
    if k < block.size:
        block[k] = cuda.blockIdx.x
        thread[k] = cuda.threadIdx.x


def launch(kernel, blocks, threads, *arguments):
    """Run a kernel of this package on the device; arrays are changed."""
    kernel[blocks, threads](*arguments)


def pi_talk(shots, blocks=BLOCKS, threads=THREADS, seed=1):
    """Return the mean of the threads' estimates, each from so many shots.

    The talk's function: states, arrays and copies are made in each call.
    """
    shots, count = check_shots(shots), blocks * threads
    pi = np.ones(count)
    pi_each[blocks, threads](shots, pi, stream(seed, count))
    return pi.mean()


def pi_cuda(shots, rng=None, threads=128, kernel=hits_stride):
    """Return π estimated from `shots` points, shared among the streams.

    rng      the streams' states on the device, which move on; by default
             fresh ones (see `stream`)
    threads  threads a block
    kernel   a kernel with the arguments of `hits_stride`
    """
    shots = check_shots(shots)
    rng = stream(np.random.SeedSequence().entropy % 2**63) if rng is None \
        else rng  # fmt: skip
    hits = cuda.to_device(np.zeros(rng.size, np.int64))
    kernel[-(-rng.size // threads), threads](shots, hits, rng)
    return 4.0 * hits.copy_to_host().sum() / shots
