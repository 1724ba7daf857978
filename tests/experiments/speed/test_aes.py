"""The kernel by AES, against plain Python, C and other processors."""

import functools
import random

import numpy as np
import pytest

from cases import skip_if
from onthefly.experiments.speed import aes, cipher
from onthefly.kernels import z_score
from onthefly.kernels.pi import pi_limit
from onthefly.tools import cpp
from onthefly.tools.processes import Program

KEY = pi_limit.key_of(np.uint64(7), 3)
SIZES = (1, 127, 128, 129, 256, 4811)
needs_aes = skip_if(aes.missing())
needs_cc = skip_if(cpp.missing("C"))


def product(a, b):
    """Multiply in AES's field of 256 numbers."""
    total = 0
    while b:
        total ^= a * (b & 1)
        a, b = a << 1 ^ 0x11B * (a >> 7), b >> 1
    return total


@functools.cache
def substitute(byte):
    """Return a byte of AES's S-box, by its definition in FIPS 197."""
    inverse = next((x for x in range(256) if product(x, byte) == 1), 0)
    rotated = [inverse << k | inverse >> 8 - k for k in range(5)]
    bits = functools.reduce(lambda x, y: x ^ y, rotated) & 0xFF
    return bits ^ 0x63


def round_of_aes(block, key):
    """Return 16 bytes after a round, by its definition in FIPS 197."""
    shifted = [substitute(block[(5 * k) % 16]) for k in range(16)]
    mixed = bytearray()
    for column in range(0, 16, 4):
        a = shifted[column : column + 4]
        for k in range(4):
            b = a[k:] + a[:k]
            mixed.append(product(b[0], 2) ^ product(b[1], 3) ^ b[2] ^ b[3])
    return bytes(x ^ y for x, y in zip(mixed, key, strict=True))


def words_of(key, count):
    """Return the shots of so many blocks, in plain Python."""
    halves = [int(pi_limit.key_of(key, k)) for k in range(32)]
    words = [
        a << 32 | b for a, b in zip(halves[::2], halves[1::2], strict=True)
    ]
    pairs = list(zip(words[::2], words[1::2], strict=True))
    shots = []
    for number in range(count):
        block = b"".join(
            ((word + number * step) % 2**64).to_bytes(8, "little")
            for word, step in zip(pairs[0], aes.STEPS, strict=True)
        )
        for pair in pairs[1 : aes.ROUNDS + 1]:
            own = b"".join(word.to_bytes(8, "little") for word in pair)
            block = round_of_aes(block, own)
        shots += np.frombuffer(block, "<u4").tolist()
    return shots


def plain(shots, key):
    """Count as the kernel, in Python's unbounded integers."""
    rest = shots % aes.SHOTS
    hits = 0
    for h in words_of(key, (shots - rest) // 4):
        x, y = (v - 2**16 * (v >= 2**15) for v in (h >> 16, h % 2**16))
        hits += 1 - (x * x + y * y >> 30)  # the one corner is two misses
    return hits + int(pi_limit.hits_int(rest, ~np.uint32(key))) * bool(rest)


@needs_aes
@pytest.mark.parametrize("shots", SIZES)
def test_the_kernel_does_what_plain_python_does(shots):
    assert aes.kernel()(shots, KEY) == plain(shots, KEY)


@needs_aes
@needs_cc
def test_c_counts_the_same_hits():
    assert cipher.same_hits(KEY, SIZES)


@needs_aes
@needs_cc
def test_c_writes_the_same_words():
    words = np.empty(64, np.uint32)
    cipher.words()(words.ctypes.data, 16, int(KEY), aes.ROUNDS)
    assert words.tolist() == words_of(KEY, 16)


@needs_aes
def test_the_estimate_is_pi():
    shots = 10**7 + random.Random(1).randrange(128)
    hits = int(aes.kernel()(shots, KEY))
    assert z_score(4 * hits / shots, shots) < 5


def hits_there(processor, features, folder):
    """Return the hits that a process counts for another processor."""
    environment = {
        "NUMBA_CPU_NAME": processor,
        "NUMBA_CPU_FEATURES": features,
        "NUMBA_CACHE_DIR": str(folder),
    }
    with Program(aes.__name__, environment=environment) as program:
        return program.ask("hits", 4811, int(KEY))


@needs_aes
@pytest.mark.parametrize("features", ["+aes", "+aes,+avx2,+vaes"])
def test_other_processors_count_the_same(features, tmp_path):
    """One block an instruction, and two, as other machines have it."""
    if "vaes" in features and aes.width(host()) < 4:
        pytest.skip("this processor takes one block at once")
    there = hits_there("x86-64", features, tmp_path)
    assert there == aes.kernel()(4811, KEY)


def host():
    """Return what this processor has, by LLVM's names."""
    has = aes.binding.get_host_cpu_features()
    return [name for name in has if has[name]]


@pytest.mark.parametrize(
    ("features", "width"),
    [
        (["sse2"], 0),
        (["aes"], 2),
        (["aes", "vaes", "avx2"], 4),
        (["aes", "vaes", "avx512f"], 8),
    ],
)
def test_how_much_a_round_takes(features, width):
    assert aes.width(features) == width


def test_without_aes_it_is_missing(monkeypatch):
    monkeypatch.setattr(aes, "width", lambda features: 0)
    with pytest.raises(aes.libraries.Missing, match="instruction for AES"):
        aes.check()
