"""π by one kernel in CUDA C, which a plain C++ compiler takes as well.

The i-th shot comes from the i-th number of SplitMix64, by integers alone:
no rounding and no state, so that the hits depend on the key and the shots,
not on the machine, nor on how many threads share the work.  CuPy compiles
`SOURCE` for a GPU (pi_cupy), `build` for the processor, and `hits_numpy` is
the same in NumPy.  Sources: Steele, Lea and Flood's SplitMix64; the kernel
stands for the talk's wish to need none (Okuda, PyCon JP 2018, slide 27).
"""

import ctypes
import functools
import random

import numpy as np

from onthefly.kernels import check_shots, splitmix
from onthefly.tools import cpp

stream = random.Random
FLAGS = ["-O2"]
THREADS = 256  # of a block; any number of shots goes with any launch

SOURCE = """\
extern "C" __global__
void hits(unsigned long long shots, unsigned long long key,
          unsigned long long *total)
{
    unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x
                         + threadIdx.x;
    unsigned long long mine = 0;
    for (; i < shots; i += step) {
        unsigned long long z = key + (i + 1) * 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        z ^= z >> 31;
        unsigned long long x = z >> 33, y = z & 0x7FFFFFFF;
        mine += x * x + y * y < 1ULL << 62;
    }
    atomicAdd(total, mine);
}
"""

# What CUDA adds to C++, for one thread that plays all of them in turn.
_BEFORE = """\
#define __global__
struct Index { unsigned x; };
static Index blockIdx, threadIdx, blockDim, gridDim;
static void atomicAdd(unsigned long long *sum, unsigned long long more)
{ *sum += more; }
"""
_AFTER = """\
extern "C" unsigned long long
run(unsigned long long shots, unsigned long long key, unsigned blocks,
    unsigned threads)
{
    unsigned long long total = 0;
    gridDim.x = blocks;
    blockDim.x = threads;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++)
            hits(shots, key, &total);
    return total;
}
"""


missing = cpp.missing


@functools.cache
def build():
    """Compile the kernel for the processor; return run(shots, key, b, t).

    Raises CalledProcessError where the compiler refuses it.
    """
    with cpp.built(_BEFORE + SOURCE + _AFTER, FLAGS) as path:
        run = ctypes.CDLL(path).run
    run.argtypes = [ctypes.c_uint64] * 2 + [ctypes.c_uint] * 2
    run.restype = ctypes.c_uint64
    return run


def key_of(rng):
    """Return a key of 64 bits; `rng` as in `pi_raw`."""
    return (rng or random).getrandbits(64)


def hits_numpy(shots, key):
    """Return the kernel's hits, by whole arrays of NumPy."""
    i = np.arange(1, shots + 1, dtype=np.uint64)
    z = splitmix.mix(np.uint64(key) + i * splitmix.STEP)
    x, y = z >> np.uint64(33), z & np.uint64(0x7FFFFFFF)
    return int(np.count_nonzero(x * x + y * y < np.uint64(2**62)))


def pi_raw(shots, rng=None, blocks=1, threads=THREADS):
    """Return π from `shots` points by the kernel, on the processor.

    rng  a ``random.Random``, or None: makes the key
    """
    shots = check_shots(shots)
    return 4.0 * build()(shots, key_of(rng), blocks, threads) / shots
