"""π by a compiled loop, with other ways to get its random numbers.

Source of the loop: Okuda, PyCon JP 2018, slides 22 and 51.
"""

import random

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.cpython import randomimpl
from numba.extending import intrinsic

from onthefly.kernels import check_shots, splitmix
from onthefly.kernels.pi.pi_numba import hits_numba, stream

U = np.uint64
V = np.uint32
WORDS, AHEAD = 624, 397  # of the Mersenne Twister's state
BLOCK = WORDS // 4  # shots: each takes two numbers of two words

# The same loop and the same numbers; one option more.
hits_forced = numba.njit(forceinline=True)(hits_numba.py_func)


def pi_numba_forced(shots, rng=None):
    """Return π by the loop of pi_numba, with every call inlined.

    `rng` is ignored, as in pi_numba: see its `stream`.
    """
    shots = check_shots(shots)
    return 4.0 * hits_forced(shots) / shots


@intrinsic
def draw(context):
    """Draw as random.random does, inline; look the state up each time."""

    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(randomimpl.rnd_state_ptr_t, ())
        look_up = cgutils.get_or_insert_function(
            builder.module, kind, "numba_get_py_random_state"
        )
        state = builder.call(look_up, ())
        return randomimpl.get_next_double(context, builder, state)

    return numba.float64(), generate


@numba.njit
def hits_lookup(shots):
    """Count hits; inlined, and with a lookup of the state at each draw."""
    hits = 0
    for _ in range(shots):
        x = draw()
        y = draw()
        if x * x + y * y <= 1.0:
            hits += 1
    return hits


def counts_alike(*ways, seed, shots=10_000):
    """Tell whether compiled loops count the same hits from one seed.

    ways   functions that count hits of so many shots from the generator of
           `random` in compiled code
    seed   of that generator, before each
    shots  points of each
    """
    counts = []
    for hits in ways:
        stream(seed)
        counts.append(hits(shots))
    return len(set(counts)) == 1


@numba.njit
def hits_generator(shots, rng):
    """Count hits of points from a NumPy Generator that is passed in."""
    hits = 0
    for _ in range(shots):
        x = rng.random()
        y = rng.random()
        if x * x + y * y <= 1.0:
            hits += 1
    return hits


def pi_numba_generator(shots, rng=None):
    """Return π by a compiled loop over a NumPy Generator's numbers."""
    shots = check_shots(shots)
    rng = _shared if rng is None else rng
    return 4.0 * hits_generator(shots, rng) / shots


_shared = np.random.default_rng()


@numba.njit
def mix(word, high_next):
    """Return what a word of the next state gets from two of this one."""
    y = (word & V(0x80000000)) | (high_next & V(0x7FFFFFFF))
    return (y >> V(1)) ^ ((y & V(1)) * V(0x9908B0DF))


@numba.njit
def refill(words):
    """Make the next 624 words of a Mersenne Twister, in place."""
    back = WORDS - AHEAD
    for i in range(back):
        words[i] = words[i + AHEAD] ^ mix(words[i], words[i + 1])
    for i in range(back, WORDS - 1):
        words[i] = words[i - back] ^ mix(words[i], words[i + 1])
    words[-1] = words[AHEAD - 1] ^ mix(words[-1], words[0])


@numba.njit
def temper(words, out):
    """Write the numbers of a whole state: no step needs the one before."""
    for i in range(WORDS):
        y = words[i]
        y ^= y >> V(11)
        y ^= (y << V(7)) & V(0x9D2C5680)
        y ^= (y << V(15)) & V(0xEFC60000)
        out[i] = y ^ (y >> V(18))


@numba.njit
def number(high, low):
    """Return the number between 0 and 1 of two words, as CPython does."""
    a = np.int32(high >> V(5))
    b = np.int32(low >> V(6))
    return (a * 67108864.0 + b) * 2.0**-53


@numba.njit
def hits_blocks(shots, words):
    """Count hits of a Mersenne Twister that works block by block."""
    out = np.empty(WORDS, np.uint32)
    hits = 0
    for start in range(0, shots, BLOCK):
        refill(words)
        temper(words, out)
        for k in range(min(BLOCK, shots - start)):
            x = number(out[4 * k], out[4 * k + 1])
            y = number(out[4 * k + 2], out[4 * k + 3])
            hits += x * x + y * y <= 1.0
    return hits


def pi_numba_blocks(shots, rng=None):
    """Return π from the very numbers that random.Random would give.

    rng  a random.Random; by default the generator of `random`.  A fresh
         stream gives the numbers of ``rng.random()`` in order; what is left
         of its present block, or of the last one, is skipped.
    """
    shots = check_shots(shots)
    rng = rng or random
    version, state, gauss = rng.getstate()
    words = np.array(state[:-1], np.uint32)
    hits = hits_blocks(shots, words)
    rng.setstate((version, (*words.tolist(), WORDS), gauss))
    return 4.0 * hits / shots


mix64 = numba.njit(splitmix.mix)


@numba.njit
def split_mix(x):
    """Return a word from a seed, and the seed that follows."""
    x += splitmix.STEP
    return mix64(x), x


@numba.njit
def step(a, b, c, d):
    """Return a number between 0 and 1, and the next state: xoshiro256+."""
    value = np.int64((a + d) >> U(11)) * 2.0**-53
    t = b << U(17)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    return value, a, b, c ^ t, (d << U(45)) | (d >> U(19))


@numba.njit
def hits_xoshiro(shots, seed):
    """Count hits of a generator whose state is four local variables."""
    a, x = split_mix(seed)
    b, x = split_mix(x)
    c, x = split_mix(x)
    d, x = split_mix(x)
    hits = 0
    for _ in range(shots):
        x, a, b, c, d = step(a, b, c, d)
        y, a, b, c, d = step(a, b, c, d)
        if x * x + y * y <= 1.0:
            hits += 1
    return hits


def pi_numba_xoshiro(shots, rng=None):
    """Return π by xoshiro256+, with the numbers of the C extension.

    rng  a random.Random, which gives the seed
    """
    shots = check_shots(shots)
    seed = (rng or random).getrandbits(64)
    return 4.0 * hits_xoshiro(shots, U(seed)) / shots


KERNELS = {
    "forced": pi_numba_forced,
    "Generator": pi_numba_generator,
    "blocks": pi_numba_blocks,
    "xoshiro": pi_numba_xoshiro,
}
