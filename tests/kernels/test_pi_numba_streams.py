"""π by a compiled loop with other streams of random numbers."""

import random

import numpy as np
import pytest

from cases import skip_if
from onthefly.kernels.pi import pi_c, pi_numba
from onthefly.kernels.pi import pi_numba_streams as streams


def test_inlining_changes_no_number():
    same = pi_numba.hits_numba, streams.hits_lookup, streams.hits_forced
    assert streams.counts_alike(*same, seed=3, shots=50_000)
    assert not streams.counts_alike(*same, streams.pi_numba_xoshiro, seed=3)


@pytest.mark.parametrize("shots", [1, 155, 156, 157, 31_200])
def test_blocks_are_the_numbers_of_cpython(shots):
    rng = random.Random(11)
    points = [rng.random() ** 2 + rng.random() ** 2 for _ in range(shots)]
    hits = 4 * sum(p <= 1 for p in points) / shots
    mine = random.Random(11)
    assert streams.pi_numba_blocks(shots, mine) == hits
    if shots % streams.BLOCK == 0:
        assert mine.random() == rng.random()  # and the stream goes on


def test_generator_draws_as_numpy_does():
    x, y = np.random.default_rng(5).random((1000, 2)).T
    pi = streams.pi_numba_generator(1000, np.random.default_rng(5))
    assert pi == 4 * np.count_nonzero(x * x + y * y <= 1.0) / 1000


@skip_if(pi_c.missing())
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_xoshiro_counts_the_hits_of_c(tmp_path, seed):
    c = pi_c.load(pi_c.build(tmp_path))
    hits = streams.hits_xoshiro(10**5, np.uint64(seed))
    assert hits == c.hits(10**5, seed, "xoshiro")
