"""The fastest kernels against each other, against C and against counting."""

import itertools
import math
import random

import numpy as np
import pytest

from cases import skip_if
from onthefly.kernels import z_score
from onthefly.kernels.pi import pi_limit, pi_limit_c

KEY = pi_limit.key_of(np.uint64(7), 3)
SIZES = (1, 63, 64, 65, 1000, 100_003)
needs_cc = skip_if(pi_limit_c.missing())


def hash32(h):
    """Hash as pi_limit.mix, in Python's unbounded integers."""
    h = (h ^ h >> 16) * 0x21F0AAAD % 2**32
    h = (h ^ h >> 15) * 0x735A2D97 % 2**32
    return h ^ h >> 15


def plain_int(shots, key):
    """Count as pi_limit.hits_int, in Python's unbounded integers."""
    hits = 0
    for k in range(1, shots + 1):
        h = hash32(k * pi_limit.STEP % 2**32 ^ key)
        x, y = (v - 2**16 * (v >= 2**15) for v in (h >> 16, h % 2**16))
        # As in 32 bits: the one corner's square wraps and counts as a hit.
        hits += x * x + y * y < 2**30 or x == y == -(2**15)
    return hits


@pytest.mark.parametrize("shots", [1, 64, 2000])
def test_the_kernel_does_what_plain_python_does(shots):
    assert pi_limit.hits_int(shots, KEY) == plain_int(shots, int(KEY))


@needs_cc
@pytest.mark.parametrize("shots", SIZES)
def test_c_counts_the_same_hits(shots):
    c = pi_limit_c.library()
    hits = pi_limit.hits_int(shots, KEY)
    assert hits == c.hits_int(shots, KEY) == c.hits_int_simd(shots, KEY)
    lanes = pi_limit.hits_lanes(shots, KEY)
    assert lanes == c.hits_lanes_simd(shots, KEY)


@pytest.mark.parametrize("kind", pi_limit.KINDS)
def test_estimates_lie_within_five_sigma(kind):
    shots = 10**6
    estimate = pi_limit.pi_limit(shots, random.Random(1), kind)
    assert z_score(estimate, shots) < 5
    again = pi_limit.pi_limit(shots, random.Random(1), kind)
    assert estimate == again
    assert estimate != pi_limit.pi_limit(shots, random.Random(2), kind)


def test_threads_do_not_change_the_hits():
    shots = 3 * pi_limit.BLOCK + 5
    hits = pi_limit.hits_limit_threads(shots, 1, 9)
    for threads in (2, 5):  # more than blocks, more than cores
        assert hits == pi_limit.hits_limit_threads(shots, threads, 9)
    assert hits == pi_limit.hits_prange(4, shots, np.uint64(9))
    if not pi_limit_c.missing():
        assert hits == pi_limit_c.library().hits_openmp(shots, 9, 3)


def test_more_shots_than_a_key_serves_are_refused():
    with pytest.raises(ValueError, match="at most 2\\^31"):
        pi_limit.pi_limit(2**31 + 1, kind="float32")


def test_the_lattice_is_counted_right():
    for bits in (3, 6):
        side = range(1 << bits)
        pairs = itertools.product(side, side)
        inside = sum(x * x + y * y < 4**bits for x, y in pairs)
        assert pi_limit.lattice_pi(bits) == 4 * inside / 4**bits
    assert abs(pi_limit.lattice_pi_int() - math.pi) < 1e-6


def test_coarse_coordinates_tend_to_their_lattice():
    shots = 10**6
    estimate = 4 * pi_limit.hits_bits(shots, KEY, 4) / shots
    centre = pi_limit.lattice_pi(4)
    assert abs(estimate - centre) < 5 * 1.7 / math.sqrt(shots)
    assert abs(estimate - math.pi) > 0.1


def test_blocks_are_binomial_and_the_short_hash_is_not():
    """As the spread of the counts of blocks shows."""
    size, blocks = 10**5, 10_000
    p = pi_limit.lattice_pi_int() / 4

    def spread(kernel):
        hits = pi_limit.hits_each_threads(
            kernel, blocks, size, np.uint64(0), 2
        )
        return hits.var() / (size * p * (1 - p))

    sigma = math.sqrt(2 / blocks)
    assert abs(spread(pi_limit.hits_int) - 1) < 4 * sigma
    assert abs(spread(pi_limit.hits_short) - 1) > 4 * sigma
