"""π as fast as Python source goes on a processor: a hash of the shot's index
instead of a generator with a state, so that the compiler may take eight or
sixteen shots at once.

A run is cut into blocks of `BLOCK` shots.  A block has a key of its own,
made from the seed and the block's number: the result depends on the seed and
the number of shots, never on how many threads share the blocks.

The shots are drawn on the square from -1 to 1, and the hits are those of the
whole circle.  Sources: the hash is C. Wellons' search for good 32-bit mixers
("lowbias32" and its successors), keys come from Steele, Lea and Flood's
SplitMix64, lanes from Blackman and Vigna's xoshiro128+.
"""

import random
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
from numba import float32, float64, int32, uint32, uint64

from onthefly.kernels import check_shots, split, splitmix

stream = random.Random
BLOCK = 1 << 20  # shots that share a key
LANES = 64  # generators side by side
STEP = 0x9E3779B9  # odd, 2^32 divided by the golden ratio
CORNER = 1 << 15  # a shot's coordinates are -CORNER to CORNER - 1

inline = numba.njit(inline="always")
compiled = numba.njit(nogil=True, cache=True)
# A signature, for a key that comes as a 64-bit integer would take the whole
# loop to 64 bits and a quarter of the speed.
block_kernel = numba.njit("uint32(uint32, uint32)", nogil=True, cache=True)


# Numba widens an integer operation to 64 bits; each of these cuts it back,
# so that LLVM sees that 32 suffice and packs twice as many into a vector.
@inline
def multiply(a, b):
    return uint32(uint32(a) * uint32(b))


@inline
def fold(h, bits):
    return uint32(h ^ uint32(h >> uint32(bits)))


@inline
def mix(h):
    h = multiply(fold(h, 16), 0x21F0AAAD)
    h = multiply(fold(h, 15), 0x735A2D97)
    return fold(h, 15)


@inline
def upper(h):
    return int32(int32(h) >> int32(16))


@inline
def lower(h):
    return int32(int32(uint32(h << uint32(16))) >> int32(16))


@inline
def inside(h):
    x, y = upper(h), lower(h)
    r2 = int32(int32(x * x) + int32(y * y))
    return uint32(r2 < int32(CORNER * CORNER))


@block_kernel
def hits_int(shots, key):
    """Count hits: both coordinates from the halves of one 32-bit hash."""
    hits, c, end = uint32(0), uint32(0), multiply(shots, STEP)
    while c != end:
        c = uint32(c + uint32(STEP))
        hits = uint32(hits + inside(mix(uint32(c ^ key))))
    return hits


@block_kernel
def hits_float32(shots, key):
    """Count hits in single precision, 24 bits a coordinate, two hashes."""
    hits, c, end = uint32(0), uint32(0), multiply(shots, STEP)
    other = mix(uint32(~key))
    while c != end:
        c = uint32(c + uint32(STEP))
        x = float32(int32(mix(uint32(c ^ key))) >> int32(8))
        y = float32(int32(mix(uint32(c ^ other))) >> int32(8))
        r2 = float32(float32(x * x) + float32(y * y))
        hits = uint32(hits + uint32(r2 < float32(2.0**46)))
    return hits


@block_kernel
def hits_float64(shots, key):
    """Count hits in double precision, 32 bits a coordinate, two hashes."""
    hits, c, end = uint32(0), uint32(0), multiply(shots, STEP)
    other = mix(uint32(~key))
    while c != end:
        c = uint32(c + uint32(STEP))
        x = float64(int32(mix(uint32(c ^ key))))
        y = float64(int32(mix(uint32(c ^ other))))
        hits = uint32(hits + uint32(x * x + y * y < 2.0**62))
    return hits


mix64 = compiled(splitmix.mix)


@compiled
def key_of(seed, block):
    """Return a block's 32-bit key."""
    number = uint64(block) + uint64(1)
    mixed = mix64(uint64(seed) + number * splitmix.STEP)
    return uint32(mixed >> uint64(32))


@block_kernel
def hits_lanes(shots, key):
    """Count hits by LANES generators xoshiro128+, stepped in turn."""
    state = np.empty((4, LANES), np.uint32)
    for word in range(4):
        for k in range(LANES):
            state[word, k] = key_of(key, word * LANES + k)
    hits = np.zeros(LANES, np.uint32)
    for start in range(0, shots, LANES):
        for k in range(min(LANES, shots - start)):
            a, b, c, d = state[0, k], state[1, k], state[2, k], state[3, k]
            hits[k] = uint32(hits[k] + inside(uint32(a + d)))
            shifted = uint32(b << uint32(9))
            c, d = uint32(c ^ a), uint32(d ^ b)
            b, a = uint32(b ^ c), uint32(a ^ d)
            c = uint32(c ^ shifted)
            d = uint32(uint32(d << uint32(11)) | uint32(d >> uint32(21)))
            state[0, k], state[1, k] = a, b
            state[2, k], state[3, k] = c, d
    return hits.sum()


KINDS = {
    "int": hits_int,
    "float32": hits_float32,
    "float64": hits_float64,
    "lanes": hits_lanes,
}


@compiled
def hits_blocks(first, last, shots, seed):
    """Count the hits of the blocks first to last - 1 of so many shots."""
    hits = 0
    for block in range(first, last):
        size = min(BLOCK, shots - block * BLOCK)
        hits += np.int64(hits_int(size, key_of(seed, block)))
    return hits


@inline
def mix_short(h):
    """A hash with one multiplication less than `mix`."""
    return fold(multiply(fold(h, 16), 0x7FEB352D), 15)


@block_kernel
def hits_short(shots, key):
    """Count hits as `hits_int`, by the shorter hash."""
    hits, c, end = uint32(0), uint32(0), multiply(shots, STEP)
    while c != end:
        c = uint32(c + uint32(STEP))
        hits = uint32(hits + inside(mix_short(uint32(c ^ key))))
    return hits


@compiled
def hits_bits(shots, key, bits):
    """Count hits of the quarter circle by coordinates of so many bits."""
    hits, end = 0, np.uint64(1) << np.uint64(2 * bits)
    drop, other = uint32(32 - bits), mix(uint32(~key))
    c = uint32(0)
    for _ in range(shots):
        c = uint32(c + uint32(STEP))
        x = uint64(mix(uint32(c ^ key)) >> drop)
        y = uint64(mix(uint32(c ^ other)) >> drop)
        hits += x * x + y * y < end
    return hits


def lattice_pi(bits):
    """Return what `hits_bits` tends to: the points of its lattice, counted.

    A coordinate of so many bits stands for its cell's lower edge, so that
    the estimate comes out too high by about 4 / 2^bits.
    """
    side = 1 << bits
    rest = float(side) ** 2 - np.arange(side, dtype=float) ** 2
    return 4.0 * float(np.ceil(np.sqrt(rest)).sum()) / side**2


def lattice_pi_int():
    """Return what `hits_int` tends to: the lattice of the whole square."""
    rest = float(CORNER) ** 2 - np.arange(-CORNER, CORNER, dtype=float) ** 2
    half = np.maximum(np.ceil(np.sqrt(rest)) - 1, -0.5)
    return 4.0 * float((2 * half + 1).sum()) / (2 * CORNER) ** 2


@numba.njit(nogil=True)
def hits_each(kernel, first, last, size, seed):
    """Return the hits of each of the blocks first to last - 1, apart.

    kernel  compiled function of (shots, key), as those of KINDS
    size    shots of a block
    """
    hits = np.empty(last - first, np.int64)
    for block in range(first, last):
        hits[block - first] = kernel(size, key_of(seed, block))
    return hits


def hits_each_threads(kernel, blocks, size, seed, threads):
    """Return the hits of each block; so many threads share the blocks."""
    ends = np.cumsum([0, *split(blocks, threads)]).tolist()
    seed = np.uint64(seed)
    with ThreadPoolExecutor(threads) as pool:
        parts = pool.map(
            lambda k: hits_each(kernel, ends[k], ends[k + 1], size, seed),
            range(threads),
        )
        return np.concatenate(list(parts))


@numba.njit(parallel=True, cache=True)
def hits_prange(blocks, shots, seed):
    """Count the hits of all blocks; the cores share them out."""
    hits = 0
    for block in numba.prange(blocks):
        size = min(BLOCK, shots - block * BLOCK)
        hits += np.int64(hits_int(size, key_of(seed, block)))
    return hits


def _seed(rng):
    return np.uint64((rng or random).getrandbits(63))


def pi_limit(shots, rng=None, kind="int"):
    """Return π estimated from `shots` points on one core.

    rng   random.Random, which gives the run's seed
    kind  one of KINDS; all but "int" take the whole run as one block, of at
          most 2^31 shots
    """
    shots, seed = check_shots(shots), _seed(rng)
    if kind == "int":
        return 4.0 * hits_blocks(0, -(-shots // BLOCK), shots, seed) / shots
    if shots > 1 << 31:
        raise ValueError(f"shots must be at most 2^31 for {kind}: {shots}")
    return 4.0 * KINDS[kind](shots, key_of(seed, 0)) / shots


def hits_limit_threads(shots, threads, seed):
    """Return the hits of a run whose blocks so many threads share."""
    shots, seed = check_shots(shots), np.uint64(seed)
    sizes = split(-(-shots // BLOCK), threads)
    ends = np.cumsum([0, *sizes]).tolist()
    with ThreadPoolExecutor(threads) as pool:
        parts = pool.map(
            lambda k: hits_blocks(ends[k], ends[k + 1], shots, seed),
            range(threads),
        )
        return sum(parts)


def pi_limit_threads(shots, threads=2, rng=None):
    """Return π; threads beyond the number of blocks have nothing to do."""
    return 4.0 * hits_limit_threads(shots, threads, _seed(rng)) / shots


def pi_limit_prange(shots, rng=None):
    """Return π; as many cores as `numba.set_num_threads` allows."""
    shots = check_shots(shots)
    blocks = -(-shots // BLOCK)
    return 4.0 * hits_prange(blocks, shots, _seed(rng)) / shots
