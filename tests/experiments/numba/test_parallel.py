"""Parallel loops that record who did the work."""

import threading

import numba
import numpy as np
import pytest

from onthefly.experiments.numba import parallel
from onthefly.kernels.pi.pi_numba_parallel import limited


def test_so_many_threads_work_as_are_allowed():
    before = numba.get_num_threads()
    for threads in range(1, numba.config.NUMBA_NUM_THREADS + 1):
        workers = len(parallel.workers(threads))
        assert workers <= threads
        if numba.threading_layer() != "tbb":  # which need not use them all
            assert workers == threads
    assert numba.get_num_threads() == before


def test_a_thread_has_the_number_that_python_gives():
    who = np.zeros(1, np.uintp)
    with limited(1):
        parallel.draw(np.zeros(1), who)
    if numba.threading_layer() != "omp":
        pytest.skip("another layer need not work in the calling thread")
    assert who[0] == threading.get_ident()
