"""Lost updates, and what the compiler makes of them."""

import numba
import numpy as np
from numba import njit

from onthefly.experiments.numba import updates


@njit
def add(cell, steps):
    for _ in range(steps):
        cell[0] += 1


@njit
def double(x):
    return 2 * x


def test_what_is_missing_in_the_cell_is_lost():
    assert updates.lost(add, 1000, 3) == [0, 0, 0]

    def forgetful(cell, steps):
        cell[0] = steps - 7

    assert updates.lost(forgetful, 1000, 2) == [7, 7]


def test_different_results_are_counted():
    before = numba.get_num_threads()
    assert updates.results(lambda n: n, [1, 1, 1]) == 1
    seen = []
    updates.results(lambda n: seen.append(numba.get_num_threads()), [1])
    assert seen == [1] and numba.get_num_threads() == before


def test_a_loop_that_the_compiler_took_out_is_seen():
    assert len(updates.promoted(add, np.zeros(1, np.int64), 1)) == 3
    assert updates.promoted(double, 1.0) == []
