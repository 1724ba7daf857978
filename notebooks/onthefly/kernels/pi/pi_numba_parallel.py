"""π by compiled code on many cores: `prange`, its threads, seeded blocks.
Source: Okuda, PyCon JP 2018, slide 24."""

import contextlib
import random

import numba
import numpy as np
from numba import njit, prange

from onthefly.kernels import check_shots, split
from onthefly.kernels.pi.pi_numba import hits_numba

BLOCKS = 64  # of a seeded run, however many threads share them
stream = np.random.SeedSequence


@njit(parallel=True)
def hits_parallel(shots):
    """Count hits of `shots` points on all the threads that are allowed."""
    hits = 0
    for _ in prange(shots):
        x = random.random()
        y = random.random()
        if x * x + y * y <= 1.0:
            hits += 1
    return hits


@njit(parallel=True)
def hits_blocks(sizes, seeds):
    """Count hits of blocks of points, each with a seed of its own."""
    hits = 0
    for k in prange(len(sizes)):
        random.seed(seeds[k])
        hits += hits_numba(sizes[k])
    return hits


@contextlib.contextmanager
def limited(threads):
    """Let parallel code use so many threads, then as many as before.

    More than Numba has started (NUMBA_NUM_THREADS) are as many as it has.
    Raises ValueError below 1.
    """
    before = numba.get_num_threads()
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
    try:
        yield
    finally:
        numba.set_num_threads(before)


def pi_numba_parallel(shots, rng=None, workers=None):
    """Return π estimated from `shots` points by a parallel loop.

    rng      ignored: each thread has a stream that nobody seeded
    workers  how many threads may work; by default as Numba is set
    """
    shots = check_shots(shots)
    with limited(workers or numba.get_num_threads()):
        return 4.0 * hits_parallel(shots) / shots


def pi_numba_blocks(shots, rng=None, workers=None):
    """Return π estimated from `shots` points in seeded blocks.

    rng      a SeedSequence (see `stream`); by default a fresh one
    workers  as above; the estimate does not depend on it
    """
    shots = check_shots(shots)
    sizes = np.array(split(shots, BLOCKS))
    seeds = (rng or stream()).generate_state(BLOCKS)
    with limited(workers or numba.get_num_threads()):
        return 4.0 * hits_blocks(sizes, seeds) / shots
