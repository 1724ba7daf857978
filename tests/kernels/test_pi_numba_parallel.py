"""π on many cores: right, repeatable, and clear about bad input."""

import os

import pytest

from cases import bad_shots
from onthefly.kernels import pi_numba_parallel as par
from onthefly.kernels import z_score

KERNELS = [par.pi_numba_parallel, par.pi_numba_blocks]
MANY = 4 * (os.cpu_count() or 1)


@pytest.mark.parametrize("estimate", KERNELS)
@pytest.mark.parametrize("threads", [None, 1, 2, MANY])
@pytest.mark.parametrize("shots", [1, 7, 10_001, 200_000])
def test_a_parallel_loop_estimates_pi(estimate, threads, shots):
    found = estimate(shots, None, threads)
    assert 0 <= found <= 4
    assert shots < 100 or z_score(found, shots) < 5


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
