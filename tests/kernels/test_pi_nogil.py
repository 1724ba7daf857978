"""π by arrays, compiled to run without the GIL."""

import os

import numpy as np
import pytest

from cases import bad_shots
from onthefly.kernels import pi_nogil, z_score
from onthefly.kernels import pi_numpy_threads as arrays
from onthefly.tools.threads import together


@pytest.mark.parametrize("shots", [1, 7, 200_001])
@pytest.mark.parametrize("threads", [1, 2, 4 * (os.cpu_count() or 1)])
def test_threads_share_all_the_shots(shots, threads):
    for hits in (pi_nogil.hits_rewritten_nogil, pi_nogil.hits_original_nogil):
        found = pi_nogil.pi_nogil_threads(shots, threads, hits)
        assert 0 <= found <= 4
        assert shots < 100 or z_score(found, shots) < 5


def test_the_rewritten_loop_counts_the_same():
    np.random.seed(3)
    hits = arrays.hits_original(5000)
    np.random.seed(3)
    assert arrays.hits_rewritten(5000) == hits
    pi_nogil.stream(3)
    hits = pi_nogil.hits_original_nogil(5000)
    pi_nogil.stream(3)
    assert pi_nogil.hits_rewritten_nogil(5000) == hits


def test_a_seed_repeats_the_result():
    found = []
    for seed in (7, 7, 8):
        pi_nogil.stream(seed)
        found.append(pi_nogil.pi_nogil(10_001))
    assert found[0] == found[1] != found[2]
    assert z_score(found[0], 10_001) < 5


@bad_shots
def test_bad_shots_are_refused(shots, error):
    for estimate in (pi_nogil.pi_nogil, pi_nogil.pi_nogil_threads):
        with pytest.raises(error, match="shots must be"):
            estimate(shots)


def test_own_streams_count_hits():
    shots = 10**5
    found = together(lambda: arrays.hits_own(shots), 4)()
    assert all(z_score(4 * hits / shots, shots) < 5 for hits in found)
    assert len(set(found)) > 1
