"""Numba on many cores: the kernels, their threads, their refusals."""

import os
import threading

import numba
import numpy as np
import pytest

from cases import bad_shots
from onthefly.kernels import pi_numba_parallel as par
from onthefly.kernels import sigmas

KERNELS = [par.pi_numba_parallel, par.pi_numba_blocks]
MANY = 4 * (os.cpu_count() or 1)


@pytest.mark.parametrize("estimate", KERNELS)
@pytest.mark.parametrize("threads", [None, 1, 2, MANY])
@pytest.mark.parametrize("shots", [1, 7, 10_001, 200_000])
def test_a_parallel_loop_estimates_pi(estimate, threads, shots):
    found = estimate(shots, None, threads)
    assert 0 <= found <= 4
    assert shots < 100 or sigmas(found, shots) < 5


def test_a_seed_repeats_the_result_for_any_number_of_threads():
    found = {
        par.pi_numba_blocks(10_000, par.stream(7), threads)
        for threads in (1, 2, 3, MANY, 1)
    }
    assert len(found) == 1
    others = {par.pi_numba_blocks(10_000, par.stream(s)) for s in range(4)}
    assert others != found


@pytest.mark.parametrize("estimate", KERNELS)
@bad_shots
def test_bad_shots_are_refused(estimate, shots, error):
    with pytest.raises(error, match="shots must be"):
        estimate(shots)


@pytest.mark.parametrize("threads", [-1, 0])
def test_no_threads_are_refused(threads):
    with pytest.raises(ValueError, match="threads"), par.limited(threads):
        pass


def test_so_many_threads_work_as_are_allowed():
    before = numba.get_num_threads()
    for threads in range(1, numba.config.NUMBA_NUM_THREADS + 1):
        found = len(par.workers(threads))
        assert found <= threads
        if numba.threading_layer() != "tbb":  # which need not use them all
            assert found == threads
    assert numba.get_num_threads() == before


def test_a_thread_has_the_number_that_python_gives():
    found = np.zeros(1, np.uintp)
    with par.limited(1):
        par.draw(np.zeros(1), found)
    if numba.threading_layer() != "omp":
        pytest.skip("another layer need not work in the calling thread")
    assert found[0] == threading.get_ident()


def test_all_ways_do_all_of_an_uneven_loop():
    cost, who = np.arange(100), np.zeros(100, np.uintp)
    total = int(cost.sum())
    for function in (par.stretches, lambda c, w: par.dealt(c, w, 3)):
        who[:] = 0
        assert sigmas(4 * function(cost, who) / total, total) < 5
        assert who.all()
    hits = par.hits_span(cost, 0, 50) + par.hits_span(cost, 50, 100)
    assert sigmas(4 * hits / total, total) < 5


def test_a_sum_is_a_sum():
    x = np.random.default_rng(3).random(10_001)
    assert par.sum_parallel(x) == pytest.approx(x.sum(), rel=1e-12)


def test_cells_of_their_own_lose_nothing():
    cells, place = np.zeros(16, np.int64), np.zeros(8, np.int64)
    with par.tied_pool() as pool:
        list(pool.map(lambda k: par.bump(cells, place, k, 10**5), (0, 1)))
    assert cells[:2].tolist() == [10**5, 10**5] and not cells[2:].any()


def test_the_layer_that_is_always_there_obeys():
    found = par.layer("workqueue", 3)
    assert found["threads"] == 3 and found["entry"] > 0
    assert found["fork"] == 0 and par.outcome(0) == "works"
    assert par.layer("no such layer", 2) == {}


def test_a_child_that_hangs_is_ended():
    assert par.layer("workqueue", 2, timeout=0.01) == {}


@pytest.mark.parametrize(
    ("status", "words"),
    [(None, "not tried"), (124, "hangs"), (-6, "ended by SIGABRT"),
     (3, "fails (3)")],
)  # fmt: skip
def test_an_outcome_is_said_in_words(status, words):
    assert par.outcome(status) == words
