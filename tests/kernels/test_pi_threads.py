"""π in several threads: all the shots, whatever their number."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from cases import bad_shots
from onthefly.kernels import split, z_score
from onthefly.kernels.pi import (
    pi_dask,
    pi_limit,
    pi_nogil,
    pi_numba_parallel,
    pi_numpy,
    pi_numpy_threads,
    pi_pool,
)
from onthefly.kernels.pi.pi_numba import pi_numba, pi_numba_threads
from onthefly.tools.threads import together

MANY = 4 * (os.cpu_count() or 1)


def pooled(shots, threads):
    """Return π by a pool of so many threads."""
    with ThreadPoolExecutor(threads) as pool:
        return pi_pool.pi_pool(pi_numba, shots, pool, threads)


def rewritten(shots, threads):
    """Return π by the rewritten loop, which holds no GIL."""
    hits = pi_nogil.hits_rewritten_nogil
    return pi_nogil.pi_nogil_threads(shots, threads, hits)


def parallel(shots, threads):
    """Return π by a parallel loop."""
    return pi_numba_parallel.pi_numba_parallel(shots, None, threads)


def blocks(shots, threads):
    """Return π by a parallel loop over blocks with seeds of their own."""
    return pi_numba_parallel.pi_numba_blocks(shots, None, threads)


WAYS = {
    "numba": pi_numba_threads,
    "nogil": pi_nogil.pi_nogil_threads,
    "nogil, rewritten": rewritten,
    "parallel": parallel,
    "blocks": blocks,
    "limit": pi_limit.pi_limit_threads,
    "Dask": lambda *how: pi_dask.pi_delayed(pi_numba, *how),
    "series": lambda *how: pi_pool.pi_series(pi_numba, *how),
    "pool": pooled,
}
EACH = pytest.mark.parametrize("way", WAYS)


@EACH
@pytest.mark.parametrize("threads", [1, 2, MANY])
@pytest.mark.parametrize("shots", [1, 7, 200_001])
def test_threads_share_all_the_shots(way, shots, threads):
    pi = WAYS[way](shots, threads)
    assert 0 <= pi <= 4
    assert shots < 100 or z_score(pi, shots) < 5


@EACH
@bad_shots
def test_bad_shots_are_refused(way, shots, error):
    with pytest.raises(error, match="shots must be"):
        WAYS[way](shots, 2)


def test_a_seed_repeats_the_result_for_any_number_of_threads():
    par = pi_numba_parallel
    estimates = {
        par.pi_numba_blocks(10_000, par.stream(7), threads)
        for threads in (1, 2, 3, MANY, 1)
    }
    assert len(estimates) == 1
    others = {par.pi_numba_blocks(10_000, par.stream(s)) for s in range(4)}
    assert others != estimates


def test_streams_of_their_own_repeat():
    first, again = (
        pi_numpy.pi_numpy_threads(10**5 + 1, pi_numpy.spawn(7, 3))
        for _ in range(2)
    )
    assert first == again and z_score(first, 10**5 + 1) < 5
    shots = 10**5
    hits = together(lambda: pi_numpy_threads.hits_own(shots), 4)()
    assert all(z_score(4 * own / shots, shots) < 5 for own in hits)
    assert len(set(hits)) > 1


def test_the_rewritten_loop_counts_the_same():
    np.random.seed(3)
    hits = pi_numpy_threads.hits_original(5000)
    np.random.seed(3)
    assert pi_numpy_threads.hits_rewritten(5000) == hits
    pi_nogil.stream(3)
    hits = pi_nogil.hits_original_nogil(5000)
    pi_nogil.stream(3)
    assert pi_nogil.hits_rewritten_nogil(5000) == hits


def test_the_mean_weighs_parts_by_their_shots():
    sizes = split(10, 3)
    assert pi_pool.mean([4.0, 2.0, 1.0], sizes) == pytest.approx(2.5)


@pytest.mark.parametrize("threads", [-1, 0])
def test_no_threads_are_refused(threads):
    limited = pi_numba_parallel.limited
    with pytest.raises(ValueError, match="threads"), limited(threads):
        pass
