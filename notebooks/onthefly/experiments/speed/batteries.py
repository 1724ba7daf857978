"""Is a generator of shots a good one?  TestU01's batteries of tests judge the
very words that become shots, in their order.

Source: L'Ecuyer and Simard, TestU01: A C Library for Empirical Testing of
Random Number Generators, 2007: a p-value below 1e-10, or as close to one, is
a clear failure.  It needs TestU01 (Debian's libtestu01-0-dev).
"""

import ctypes
import tempfile
from pathlib import Path

import numba
import numpy as np
from numba import types, uint32, uint64

from onthefly import files
from onthefly.experiments.speed import cipher
from onthefly.kernels.pi import pi_limit, pi_vectors
from onthefly.page import checkout
from onthefly.tools import cpp

RECORDED = checkout.ROOT / "book" / "testu01.json"
SOURCE = Path(__file__).with_name("batteries.c")
BATTERIES = ("SmallCrush", "Crush")
SEED = 2018
MOST_ROUNDS = 7
FAILURE = 1e-10
HEADERS = "/usr/include/testu01"
LIBRARIES = ("-ltestu01", "-ltestu01probdist", "-ltestu01mylib", "-lm")
MOST_TESTS = 200  # p-values of a battery
FILL = types.void(types.CPointer(uint32), uint64)
LANES, GENERATORS = pi_vectors.LANES, pi_vectors.GENERATORS

key_of, mix, mix_short = pi_limit.key_of, pi_limit.mix, pi_limit.mix_short


def _hash(mix):
    """Return the source of a hash's words: fill(words, block)."""

    @numba.cfunc(FILL)
    def fill(place, block):
        words = numba.carray(place, pi_limit.BLOCK)
        key = key_of(uint64(SEED), block)
        for k in range(words.size):
            count = pi_limit.multiply(uint32(k + 1), pi_limit.STEP)
            words[k] = mix(uint32(count ^ key))

    return fill


@numba.njit
def _step(state, k):
    """Step a lane's generator xoroshiro128+; return its 64 bits."""
    a, b = state[k], state[k + LANES]
    given = a + b
    b ^= a
    state[k] = (a << uint64(24) | a >> uint64(40)) ^ b ^ b << uint64(16)
    state[k + LANES] = b << uint64(37) | b >> uint64(27)
    return given


@numba.njit
def xoroshiro(words, key):
    """Fill an array with the words of pi_vectors, in the order of its turns.

    words  array of uint32; its length is a multiple of pi_vectors.SHOTS
    key    of the block, 32 bits
    """
    state = np.empty(2 * GENERATORS * LANES, np.uint64)
    for k in range(state.size):
        word = uint64(key_of(key, 2 * k)) << uint64(32)
        state[k] = word | uint64(key_of(key, 2 * k + 1))
    at = 0
    while at < words.size:
        for first in range(0, state.size, 2 * LANES):
            for k in range(first, first + LANES):
                given = _step(state, k)
                words[at] = uint32(given)
                words[at + 1] = uint32(given >> uint64(32))
                at += 2


def _vectors():
    """Return the source of the words of pi_vectors."""

    @numba.cfunc(FILL)
    def fill(place, block):
        words = numba.carray(place, pi_limit.BLOCK)
        xoroshiro(words, key_of(uint64(SEED), block))

    return fill


def _aes(rounds):
    words = cipher.words()
    blocks = pi_limit.BLOCK // 4

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64)
    def fill(place, block):
        key = int(key_of(np.uint64(SEED), np.uint64(block)))
        words(place, blocks, key, rounds)

    return fill


def aes_of(rounds):
    """Return what the generator of so many rounds of AES is called."""
    return f"AES, {rounds} round{'s' * (rounds > 1)}"


def sources():
    """Return {name: source of the words of a generator}."""
    found = {
        "hash": _hash(mix),
        "hash, one multiplication less": _hash(mix_short),
        "xoroshiro128+": _vectors(),
    }
    return found | {aes_of(n): _aes(n) for n in range(1, MOST_ROUNDS + 1)}


def missing():
    """Say in a few words what is missing for the batteries, or return ""."""
    if lack := cpp.missing("C"):
        return lack
    return "" if Path(HEADERS, "bbattery.h").exists() else "no TestU01"


def judged(source, battery, backwards=False):
    """Return {test: p-value} of a battery, which takes up to an hour.

    source     of `sources`
    battery    one of BATTERIES
    backwards  each word's bits in reverse: TestU01 looks at the first bits
               more closely than at the last ones

    Raises CalledProcessError where TestU01 cannot be linked.
    """
    fill = getattr(source, "ctypes", source)
    p = (ctypes.c_double * MOST_TESTS)()
    names = (ctypes.c_char * 64 * MOST_TESTS)()
    flags = ("-O2", f"-I{HEADERS}")
    with tempfile.TemporaryDirectory(prefix="onthefly") as folder:
        path = cpp.build(SOURCE, Path(folder, "run.so"), flags, LIBRARIES)
        tests = ctypes.CDLL(path)
    count = tests.run(BATTERIES.index(battery), fill, backwards, p, names)
    return {f"{k + 1} {names[k].value.decode()}": p[k] for k in range(count)}


def failures(p_values):
    """Return the names of the tests that a generator fails.

    p_values  of `judged`
    """
    return [
        name
        for name, p in p_values.items()
        if not FAILURE <= p <= 1 - FAILURE
    ]


def recorded():
    """Yield what scripts/testu01.py has written: a dict for each battery."""
    yield from files.json_data(RECORDED)


def verdict(generator):
    """Return what the batteries said of a generator, in a few words.

    generator  of `sources`

    A dash where none has been run.
    """
    said = {}
    for one in recorded():
        if one["generator"] == generator:
            failed = len(failures(one["p"]))
            said.setdefault(one["battery"], []).append((failed, one["p"]))
    passed = [
        k for k in BATTERIES if k in said and not any(n for n, _ in said[k])
    ]
    words = [f"passes {' and '.join(passed)}"] if passed else []
    words += [
        f"fails {n} of {len(p)} in {battery}"
        for battery, runs in said.items()
        for n, p in runs
        if n
    ]
    return "; ".join(words) or "–"
