"""The limit's kernel on the processor: its hits, words and grids."""

import itertools
import math
import random

import numpy as np
import pytest

from cases import bad_shots, skip_if
from onthefly.kernels import z_score
from onthefly.kernels.pi import pi_device_limit as limit
from onthefly.kernels.pi import pi_limit
from onthefly.tools import cpp

COMPILER = skip_if(cpp.missing())
SEED = 2018
ways = pytest.mark.parametrize("way", limit.WAYS)


@COMPILER
@ways
@pytest.mark.parametrize("shots", [1, 3, 5, 255, 257, 1000, 2**20 + 6])
def test_the_compiled_text_counts_what_numpy_counts(way, shots):
    own = limit.hits_host(way, shots, SEED)
    assert np.array_equal(own, limit.hits_numpy(way, shots, SEED))
    assert len(own) == -(-shots // limit.BLOCK)


@COMPILER
@ways
def test_the_launch_does_not_change_the_hits(way):
    shots = 2 * limit.BLOCK + 77
    one, *others = (limit.hits_host(way, shots, 5, n) for n in (1, 2, 7))
    assert all(np.array_equal(one, other) for other in others)
    assert np.array_equal(limit.hits_host(way, shots, 5, 1, 1, 3), one[1:])


@ways
def test_estimates_lie_within_five_sigma(way):
    shots = 2**20
    hits = limit.hits_numpy(way, shots, 1).sum()
    assert z_score(4 * hits / shots, shots) < 5
    assert hits != limit.hits_numpy(way, shots, 2).sum()


@COMPILER
@bad_shots
def test_bad_shots_are_refused(shots, error):
    with pytest.raises(error, match="shots must be"):
        limit.hits_host("hash", shots, 1)
    with pytest.raises(error, match="shots must be"):
        limit.hits_numpy("hash", shots, 1)


def test_the_hash_is_that_of_the_processor():
    shots = limit.BLOCK + 12345
    own = limit.hits_numpy("hash", shots, 9).sum()
    assert own == pi_limit.hits_limit_threads(shots, 1, 9)


def test_philox_gives_the_published_words():
    """Random123's known answers."""
    ones = 0xFFFFFFFF
    zero = [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    full = [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]
    assert [int(v) for v in limit.philox([0] * 4, (0, 0))] == zero
    assert [int(v) for v in limit.philox([ones] * 4, (ones, ones))] == full


def signed(word, bits):
    """Return so many bits as a signed number."""
    return word - (word >> (bits - 1) << bits)


@pytest.mark.parametrize("way", ["hash, tuned", "hash, wide products"])
def test_words_are_decided_as_by_unbounded_integers(way):
    rng = random.Random(4)
    words = [rng.getrandbits(32) for _ in range(2000)]
    words += [0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0x80000000, 0x00008000]
    hits = limit.inside(way, np.array(words, np.uint64))
    for word, hit in zip(words, hits.tolist(), strict=True):
        y = signed(word & 0xFFFF, 16)
        wide = way == "hash, wide products"
        x = signed(word, 32) / 2**16 if wide else signed(word, 32) >> 16
        assert hit == (x * x + y * y < 2**30)


@pytest.mark.parametrize("bits", [1, 2, 3, 6, 9])
@pytest.mark.parametrize("threads", [1, 3])
def test_points_are_counted_right(bits, threads):
    side = range(2**bits)
    points = itertools.product(side, side)
    inside = sum(x * x + y * y < 4**bits for x, y in points)
    assert limit.quarter_points(bits, threads) == inside


def test_the_grids_pi_is_that_of_its_points():
    many = 4 * limit.quarter_points(24) / 4**24
    assert many == pi_limit.lattice_pi(24)
    assert limit.lattice_pi("hash") > limit.lattice_pi(limit.TUNED)
    assert abs(limit.lattice_pi("hash, wide products") - math.pi) < 1e-6


def test_the_wide_grid_is_counted_right_word_by_word():
    """All words whose lower half is one of a few."""
    high = np.arange(2**16, dtype=np.uint64) << np.uint64(16)
    for low in (0, 1, 0x7FFF, 0x8000, 0xFFFF):
        hits = limit.inside("hash, wide products", high | np.uint64(low))
        assert limit.wide_column(low) == hits.sum()
