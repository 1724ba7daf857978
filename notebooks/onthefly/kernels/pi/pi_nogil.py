"""π by whole arrays, compiled to run without the GIL.  Source: Okuda, PyCon
JP 2018, slide 46."""

from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from onthefly.kernels import check_shots, split
from onthefly.kernels.pi.pi_numpy_threads import hits_original, hits_rewritten


@numba.njit
def _seed(seed):
    np.random.seed(seed)


def stream(seed):
    """Seed this thread's stream inside compiled code; returns None."""
    _seed(seed)


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
