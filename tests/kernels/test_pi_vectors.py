"""The kernel in LLVM's vectors, against plain Python and other processors."""

import random

import numpy as np
import pytest

from onthefly.kernels import z_score
from onthefly.kernels.pi import pi_limit, pi_vectors
from onthefly.tools.processes import Program

KEY = pi_limit.key_of(np.uint64(7), 3)
WORD = 2**64


def rotated(word, bits):
    """Return 64 bits, rotated to the left."""
    return word << bits & WORD - 1 | word >> 64 - bits


def plain(shots, key):
    """Count as hits_vectors, in Python's unbounded integers."""
    lanes = pi_vectors.LANES
    state = [
        int(pi_limit.key_of(key, 2 * k)) << 32
        | int(pi_limit.key_of(key, 2 * k + 1))
        for k in range(2 * pi_vectors.GENERATORS * lanes)
    ]
    hits = 0
    for _ in range(shots // pi_vectors.SHOTS):
        for g in range(0, 2 * pi_vectors.GENERATORS, 2):
            for k in range(g * lanes, (g + 1) * lanes):
                a, b = state[k], state[k + lanes]
                hits += inside(a + b & WORD - 1)
                b ^= a
                state[k] = rotated(a, 24) ^ b ^ b << 16 & WORD - 1
                state[k + lanes] = rotated(b, 37)
    rest = shots % pi_vectors.SHOTS
    return hits + int(pi_limit.hits_int(rest, ~np.uint32(key))) * bool(rest)


def inside(word):
    """Count the hits of the two shots in 64 bits."""
    hits = 0
    for h in (word & 0xFFFFFFFF, word >> 32):
        x, y = (v - 2**16 * (v >= 2**15) for v in (h >> 16, h % 2**16))
        hits += 1 - (x * x + y * y >> 30)  # the one corner is two misses
    return hits


@pytest.mark.parametrize("shots", [1, 127, 128, 129, 256, 4811])
def test_the_vectors_do_what_plain_python_does(shots):
    assert pi_vectors.hits_vectors(shots, KEY) == plain(shots, KEY)


def test_the_estimate_is_pi():
    shots = 10**7 + random.Random(1).randrange(128)
    hits = int(pi_vectors.hits_vectors(shots, KEY))
    assert z_score(4 * hits / shots, shots) < 5


@pytest.mark.parametrize("processor", ["x86-64", "haswell"])
def test_other_processors_count_the_same(processor, tmp_path):
    """Vectors of 128 and of 256 bits, which LLVM makes for other machines."""
    environment = {
        "NUMBA_CPU_NAME": processor,
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_CACHE_DIR": str(tmp_path),
    }
    module = pi_vectors.__name__
    with Program(module, environment=environment) as program:
        there = program.ask("hits_vectors", 4811, int(KEY))
    assert there == pi_vectors.hits_vectors(4811, KEY)
