"""π by the interpreter's loop, compiled.  Source: Okuda, PyCon JP 2018,
slides 22 and 51."""

import random
from concurrent.futures import ThreadPoolExecutor

import numba

from onthefly.kernels import check_shots, split


@numba.njit
def _seed(seed):
    random.seed(seed)


def stream(seed):
    """Seed this thread's generator inside compiled code; returns None."""
    _seed(seed)


@numba.njit(nogil=True)
def hits_numba(shots):
    """Count hits of `shots` points; runs without the GIL."""
    hits = 0
    for _ in range(shots):
        x = random.random()
        y = random.random()
        if x * x + y * y <= 1.0:
            hits += 1
    return hits


def pi_numba(shots, rng=None):
    """Return π estimated from `shots` points by a compiled loop.

    `rng` is ignored: compiled code has one stream a thread (see `stream`).
    """
    shots = check_shots(shots)
    return 4.0 * hits_numba(shots) / shots


def pi_numba_threads(shots, threads=2):
    """Return π from `shots` points shared among so many threads.

    Each thread counts its part; the counts are added (map and reduce).
    Source: Okuda, PyCon JP 2018, slide 14.
    """
    with ThreadPoolExecutor(threads) as pool:
        hits = sum(pool.map(hits_numba, split(check_shots(shots), threads)))
    return 4.0 * hits / shots
