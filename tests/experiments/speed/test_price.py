"""What coarse coordinates and a short hash cost."""

import math

import numpy as np
import pytest

from onthefly.experiments.speed import price
from onthefly.kernels.pi import pi_limit

SIZE, BLOCKS = 10**4, 2000


@pytest.fixture
def ideal():
    return np.random.default_rng(3).binomial(SIZE, math.pi / 4, BLOCKS)


def test_ideal_blocks_pass(ideal):
    assert min(price.tests(ideal, SIZE, math.pi).values()) > 1e-3


def test_each_test_sees_its_own_fault(ideal):
    shifted = price.tests(ideal + 10, SIZE, math.pi)
    assert shifted["mean"] < 1e-6
    middle = SIZE * math.pi / 4
    for factor in (0.8, 1.25):
        spread = price.tests(
            middle + factor * (ideal - middle), SIZE, math.pi
        )
        assert spread["spread"] < 1e-6
        assert 0 <= spread["mean"] <= 1
    two = np.where(np.arange(BLOCKS) % 2, 41.0, -41.0) + middle
    assert price.tests(two, SIZE, math.pi)["shape"] < 1e-6


def test_a_kernel_by_the_same_hash_counts_the_same():
    hits = price.kernel(pi_limit.mix)
    for shots in (1, 1000):
        assert hits(shots, 7) == pi_limit.hits_int(shots, 7)
    short = price.kernel(pi_limit.mix_short)
    assert short(1000, 7) == pi_limit.hits_short(1000, 7)
