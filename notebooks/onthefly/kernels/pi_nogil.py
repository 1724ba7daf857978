"""π by whole arrays, compiled to run without the GIL.  Source: Okuda, PyCon
JP 2018, slide 46."""

from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from onthefly.kernels import check_shots, split
from onthefly.tools.threads import own


@numba.njit
def _seed(seed):
    np.random.seed(seed)


def stream(seed):
    """Seed this thread's stream inside compiled code; returns None."""
    _seed(seed)


def hits_rewritten(shots):
    """Count hits by arrays, but the last step by a loop over the flags."""
    x, y = np.random.rand(shots), np.random.rand(shots)
    inside = x * x + y * y <= 1.0
    hits = 0
    for flag in inside:
        if flag == 1:
            hits = hits + 1
    return hits


def hits_original(shots):
    """Count hits by arrays, as NumPy would have it."""
    x, y = np.random.rand(shots), np.random.rand(shots)
    inside = x * x + y * y <= 1.0
    return np.count_nonzero(inside)


def generator(seed):
    """Return a NumPy generator of random numbers."""
    return np.random.default_rng(seed)


def hits_own(shots):
    """Count hits as `hits_original`, from a stream of this thread's own."""
    rng = own(generator, None)
    x, y = rng.random(shots), rng.random(shots)
    return np.count_nonzero(x * x + y * y <= 1.0)


hits_rewritten_nogil = numba.njit(nogil=True)(hits_rewritten)
hits_original_nogil = numba.njit(nogil=True)(hits_original)


def pi_nogil(shots, rng=None):
    """Return π estimated from `shots` points, compiled from the arrays.

    `rng` is ignored: compiled code has one stream a thread (see `stream`).
    """
    shots = check_shots(shots)
    return 4.0 * hits_original_nogil(shots) / shots


def pi_nogil_threads(shots, threads=2, hits=hits_original_nogil):
    """Return π from `shots` points shared among so many threads.

    hits  the compiled function that counts the hits of a thread's part
    """
    parts = [n for n in split(check_shots(shots), threads) if n]
    with ThreadPoolExecutor(threads) as pool:
        return 4.0 * sum(pool.map(hits, parts)) / shots
