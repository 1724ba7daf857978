"""π at the limit of a CUDA device: one loop in CUDA C, and the ways to draw
and decide its shots.

A run is cut into blocks of `BLOCK` shots, as in pi_limit; a block of threads
takes whole blocks of shots, and the hits of each are kept apart.  So the hits
depend on the seed and the number of shots, never on the launch.  A plain C++
compiler takes the same text (`build`), and NumPy has a twin of each way
(`hits_numpy`), so that a device can be checked to the last hit.

Sources: Steele, Lea and Flood's SplitMix64; Salmon and others' Philox; the
hash of pi_limit (C. Wellons).
"""

import ctypes
import functools
import math
import random
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from onthefly.kernels import check_shots, split, splitmix
from onthefly.kernels.pi import pi_limit
from onthefly.tools import cpp

stream = random.Random
missing = cpp.missing
BLOCK = pi_limit.BLOCK  # shots that share a key
THREADS = 256  # of a block of threads
UNROLL = 8  # turns of the loop that the compiler writes out
FLAGS = ["-O2", "-ffp-contract=off", "-w"]

_HEAD = """\
typedef unsigned int word;
typedef unsigned long long wide;
#define BLOCK (1u << 20)
#define STEP 0x9E3779B9u
#define GOLD 0x9E3779B97F4A7C15ULL

__device__ wide splitmix(wide z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}
"""

# The loop: a thread takes each THREADS-th turn of a block, PER shots a turn.
LOOP = """\
extern "C" __global__
void hits(wide shots, wide seed, wide first, wide last, word *found)
{
    for (wide b = first + blockIdx.x; b < last; b += gridDim.x) {
        wide left = shots - b * BLOCK;
        word count = left < BLOCK ? (word)left : BLOCK;
        word whole = count / PER, mine = 0;
        word turns = (whole + THREADS - 1 - threadIdx.x) / THREADS;
        Stream stream(seed, b, threadIdx.x);
        #pragma unroll UNROLL
        for (word t = 0; t < turns; ++t)
            mine += stream.next(PER);
        if (PER > 1 && threadIdx.x == whole % THREADS)
            mine += stream.next(count % PER);
        atomicAdd(found + (b - first), MISSES ? turns - mine : mine);
    }
}
"""

_SPLITMIX = """\
struct Stream {
    wide z;
    __device__ Stream(wide seed, wide b, word t)
    { z = seed + (b * BLOCK + t + 1) * GOLD; }
    __device__ word next(word)
    {
        wide h = splitmix(z), x = h >> 33, y = h & 0x7FFFFFFF;
        z += THREADS * GOLD;
        return x * x + y * y < 1ULL << 62;
    }
};
"""

_PHILOX = """\
struct Stream {
    word c, low, high, k0, k1;
    __device__ Stream(wide seed, wide b, word t)
    { c = t; low = b; high = b >> 32; k0 = seed; k1 = seed >> 32; }
    __device__ word next(word most)
    {
        word v[4] = {c, low, high, 0}, hits = 0;
        #pragma unroll
        for (word r = 0; r < 10; ++r) {
            wide p = 0xD2511F53ULL * v[0], q = 0xCD9E8D57ULL * v[2];
            v[0] = (word)(q >> 32) ^ v[1] ^ (k0 + r * 0x9E3779B9u);
            v[1] = (word)q;
            v[2] = (word)(p >> 32) ^ v[3] ^ (k1 + r * 0xBB67AE85u);
            v[3] = (word)p;
        }
        #pragma unroll
        for (word i = 0; i < PER; ++i)
            hits += i < most ? inside(v[i]) : 0;
        c += THREADS;
        return hits;
    }
};
"""

# A key of 32 bits and a counter; `mix` takes both.  blockDim.x is THREADS,
# but the compiler cannot know: it makes the step a multiplication, which
# leaves the busier units of the device alone.
_HASHED = """\
struct Stream {
    word c, key;
    __device__ Stream(wide seed, wide b, word t)
    {
        key = KEY((word)(splitmix(seed + (b + 1) * GOLD) >> 32));
        c = (t + 1) * STEP;
    }
    __device__ word next(word)
    {
        word h = mix(c, key);
        c += blockDim.x * STEP;
        return inside(h);
    }
};
"""

_MIX = """\
#define KEY(k) (k)
__device__ word mix(word c, word key)
{
    word h = c ^ key;
    h = (h ^ h >> 16) * 0x21F0AAADu;
    h = (h ^ h >> 15) * 0x735A2D97u;
    return h ^ h >> 15;
}
"""

# (c ^ k) ^ (c ^ k) >> 16 is c ^ c >> 16 ^ (k ^ k >> 16): one operation less,
# for the device takes the exclusive or of three in one.
_MIX_TUNED = """\
#define KEY(k) ((k) ^ (k) >> 16)
__device__ word mix(word c, word key)
{
    word h = (c ^ c >> 16 ^ key) * 0x21F0AAADu;
    h = (h ^ h >> 15) * 0x735A2D97u;
    return h ^ h >> 15;
}
"""

_COMPARED = """\
__device__ word inside(word h)
{
    int x = (int)h >> 16, y = (short)h;
    return (int)((word)(x * x) + (word)(y * y)) < 1 << 30;
}
"""

# The sign of x² + y² − 2^30 is the hit.
_SIGN = """\
__device__ word inside(word h)
{
    int x = (int)h >> 16, y = (short)h;
    return ((word)(y * y) - (1u << 30) + (word)(x * x)) >> 31;
}
"""

# A product of 64 bits takes the hash as it is: no shift before it.  The two
# upper bits of x² + y² are 0 for a hit and 1 for a miss, so that this way
# counts misses.  They are never 2: x is not as low as -2^31 where y is.
_WIDE = """\
__device__ word inside(word h)
{
    long long x = (int)h, y = (int)(h << 16);
    return (word)((wide)(x * x) + (wide)(y * y) >> 32) >> 30;
}
"""

# Both halves stay in the upper 16 bits, for a conversion from 16 bits is
# slower than one from 32; a power of two does not change the rounding.
_FLOAT32 = """\
__device__ word inside(word h)
{
    float x = (int)(h & 0xFFFF0000u), y = (int)(h << 16);
    return fmaf(y, y, x * x) < 4611686018427387904.0f;
}
"""

_FLOAT64 = """\
__device__ word inside(word h)
{
    double x = (int)h >> 16, y = (short)h;
    return x * x + y * y < 1073741824.0;
}
"""

TUNED = "hash, tuned"
# {way: what the loop needs before it}
WAYS = {
    "SplitMix64": _SPLITMIX,
    "Philox": _SIGN + _PHILOX,
    "hash": _MIX + _COMPARED + _HASHED,
    TUNED: _MIX_TUNED + _SIGN + _HASHED,
    "hash, wide products": _MIX_TUNED + _WIDE + _HASHED,
    "hash, float32": _MIX_TUNED + _FLOAT32 + _HASHED,
    "hash, float64": _MIX_TUNED + _FLOAT64 + _HASHED,
}

# What CUDA adds to C++, for one thread that plays all of them in turn.
BEFORE = """\
#include <math.h>
#define __global__
#define __device__ inline
struct Index { unsigned x; };
static thread_local Index blockIdx, threadIdx, blockDim, gridDim;
static void atomicAdd(unsigned *sum, unsigned more) { *sum += more; }
static long long clock64() { return 0; }
"""
_AFTER = """\
extern "C" void
run(wide shots, wide seed, wide first, wide last, word *found, word blocks)
{
    gridDim.x = blocks;
    blockDim.x = THREADS;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < THREADS; threadIdx.x++)
            hits(shots, seed, first, last, found);
}
"""


def source(way, unroll=UNROLL, threads=THREADS):
    """Return the CUDA C of one of the WAYS.

    unroll   turns of the loop that the compiler writes out
    threads  of a block of threads; a launch must have as many
    """
    numbers = {"PER": 4 if way == "Philox" else 1, "THREADS": threads,
               "UNROLL": unroll, "MISSES": int("wide" in way)}  # fmt: skip
    heads = ", ".join(f"{k} = {v}" for k, v in numbers.items())
    return f"enum {{ {heads} }};\n" + _HEAD + WAYS[way] + LOOP


def compiled(text):
    """Compile C++ for the processor; return its function `run`.

    Raises CalledProcessError where the compiler refuses it.
    """
    with cpp.built(text, FLAGS) as path:
        return ctypes.CDLL(path).run


@functools.cache
def build(way):
    """Compile one of the WAYS for the processor; return its `run`.

    run(shots, seed, first, last, found, blocks) adds the hits of the blocks
    first to last - 1 to the words of `found`, as a launch of so many blocks
    of threads does.  It runs without the GIL.
    """
    run = compiled(BEFORE + source(way) + _AFTER)
    run.argtypes = [ctypes.c_uint64] * 4 + [ctypes.c_void_p, ctypes.c_uint]
    run.restype = None
    return run


def hits_host(way, shots, seed, blocks=3, first=0, last=None):
    """Return the hits of each block of shots, by the compiled text.

    seed         of the run, 64 bits
    blocks       of threads
    first, last  blocks of shots; all of the run by default
    """
    last = -(-check_shots(shots) // BLOCK) if last is None else last
    found = np.zeros(last - first, np.uint32)
    build(way)(shots, seed, first, last, found.ctypes.data, blocks)
    return found


def pi_device_limit(shots, rng=None, way=TUNED):
    """Return π from `shots` points by the device's text, on the processor.

    rng  a ``random.Random``, or None: makes the seed
    """
    seed = (rng or random).getrandbits(64)
    return 4.0 * int(hits_host(way, shots, seed).sum()) / shots


def _u(value):
    return np.uint64(value)


def philox(counter, key):
    """Return the four words of Philox4x32-10.

    counter  four arrays of 32-bit words, held in 64 bits
    key      two words
    """
    mask, v = _u(0xFFFFFFFF), [np.asarray(c, np.uint64) for c in counter]
    k0, k1 = key
    for _ in range(10):
        p, q = v[0] * _u(0xD2511F53), v[2] * _u(0xCD9E8D57)
        v = [(q >> _u(32)) ^ v[1] ^ _u(k0), q & mask,
             (p >> _u(32)) ^ v[3] ^ _u(k1), p & mask]  # fmt: skip
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return v


def words(way, seed, block, count):
    """Return the words of a block's first shots: 32 bits, held in 64."""
    if way == "Philox":
        group = np.arange(-(-count // 4), dtype=np.uint64)
        ends = _u(block % 2**32), _u(block >> 32), _u(0)
        found = philox([group, *ends], (seed % 2**32, seed >> 32))
        return np.stack(np.broadcast_arrays(*found), 1).ravel()[:count]
    key, mask = _u(pi_limit.key_of(_u(seed), block)), _u(0xFFFFFFFF)
    h = np.arange(1, count + 1, dtype=np.uint64) * _u(pi_limit.STEP) & mask
    h ^= key
    h = (h ^ h >> _u(16)) * _u(0x21F0AAAD) & mask
    h = (h ^ h >> _u(15)) * _u(0x735A2D97) & mask
    return h ^ h >> _u(15)


def inside(way, words):
    """Return the hits of each word, by the arithmetic of one of the WAYS."""
    h = np.asarray(words, np.uint64).astype(np.uint32)
    x, y = h.view(np.int32) >> 16, h.astype(np.uint16).view(np.int16)
    x, y = x.astype(np.int64), y.astype(np.int64)
    if way == "hash":  # the corner's square wraps, as in pi_limit
        return (x * x + y * y).astype(np.int32) < 1 << 30
    if way == "hash, wide products":
        x, y = h.view(np.int32).astype(np.int64), y << 16
        square = (y * y).view(np.uint64) + (x * x).view(np.uint64)
        return 1 - (square >> np.uint64(62)).astype(np.int64)
    if way == "hash, float32":  # one rounding of x², one of the sum
        square = (x * x).astype(np.float32).astype(np.float64)
        return (y * y + square).astype(np.float32) < np.float32(2.0**30)
    return x * x + y * y < 1 << 30


def shot_hits(way, shots, seed, block=0):
    """Return the hits of each shot of one block of shots, by NumPy."""
    if way == "SplitMix64":
        start = block * BLOCK + 1
        k = np.arange(start, start + shots, dtype=np.uint64)
        z = splitmix.mix(_u(seed) + k * splitmix.STEP)
        x, y = z >> _u(33), z & _u(0x7FFFFFFF)
        return x * x + y * y < _u(2**62)
    return inside(way, words(way, seed, block, shots))


def hits_numpy(way, shots, seed):
    """Return the hits of each block of shots, by whole arrays of NumPy."""
    sizes = [min(BLOCK, shots - start)
             for start in range(0, check_shots(shots), BLOCK)]  # fmt: skip
    found = [shot_hits(way, n, seed, b).sum() for b, n in enumerate(sizes)]
    return np.array(found, np.uint32)


@numba.njit(nogil=True)
def _corner(radius, first, last):
    """Count the points 0 <= y of the columns first to last - 1 of a circle.

    Walks along its edge in integers: no root, no rounding.  The columns must
    lie where the edge falls by at most one a step.
    """
    y = np.int64(np.sqrt(float(radius) ** 2 - float(first) ** 2)) + 2
    while first * first + y * y >= radius * radius:
        y -= 1
    rest = first * first + y * y - radius * radius  # below 0: (first, y) hits
    count = 0
    for x in range(first, last):
        count += y + 1
        rest += 2 * x + 1
        down = np.int64(rest >= 0)
        rest -= down * (2 * y - 1)
        y -= down
    return count


def quarter_points(bits, threads=1):
    """Count the integer points x, y >= 0 with x² + y² < 4^bits, exactly.

    threads  share the work, which grows as 2^bits

    Up to 31 bits: squares must fit 63.
    """
    radius = 1 << bits
    middle = math.isqrt(radius * radius // 2) + 1  # x = y lies before it
    while 2 * (middle - 1) ** 2 >= radius * radius:
        middle -= 1
    threads = min(threads, middle)  # a part without a column has no edge
    ends = np.cumsum([0, *split(middle, threads)]).tolist()
    with ThreadPoolExecutor(threads) as pool:
        parts = pool.map(
            lambda k: _corner(radius, ends[k], ends[k + 1]), range(threads)
        )
        columns = sum(parts)
    return 2 * columns - middle * middle  # both octants, less the square


def lattice_pi(way, threads=1):
    """Return what a way's estimate tends to: the π of its lattice.

    Counted exactly; for "hash, float32" as though it did not round.
    """
    if way == "SplitMix64":
        return 4.0 * quarter_points(31, threads) / 4**31
    if way == "hash, wide products":
        return 4.0 * _wide_points() / 2**32
    return pi_limit.lattice_pi_int() + (4.0 / 2**32) * (way == "hash")


def wide_column(low):
    """Count the hits of "hash, wide products" among words of a lower half."""
    y = (low - (1 << 16) * (low >> 15)) << 16
    if y * y >= 1 << 62:
        return 0
    most = math.isqrt((1 << 62) - y * y - 1)
    high = min((most - low) >> 16, (1 << 15) - 1)
    least = max(-((most + low) >> 16), -(1 << 15))
    return max(high - least + 1, 0)


def _wide_points():
    return sum(map(wide_column, range(1 << 16)))
