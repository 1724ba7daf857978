"""The kernel of pi_limit on a CUDA device, in Numba: the very functions that
the processor runs, so the same hits for the same seed."""

import numpy as np
from numba import cuda, uint32  # the simulator looks for `cuda`

from onthefly.kernels import check_shots
from onthefly.kernels.pi.pi_cuda import missing
from onthefly.kernels.pi.pi_limit import (
    BLOCK,
    STEP,
    _seed,
    inside,
    key_of,
    mix,
    multiply,
    stream,
)

__all__ = ["THREADS", "hits_cuda", "hits_limit", "missing", "pi_cuda_limit",
           "stream"]  # fmt: skip

THREADS = 256  # of a block


@cuda.jit
def hits_limit(shots, seed, counts):
    """Count the hits of each block of shots, by blocks of threads.

    seed   64 bits
    counts  zeros, one a block of shots; gets the hits of each
    """
    thread, threads = cuda.threadIdx.x, cuda.blockDim.x
    for block in range(cuda.blockIdx.x, counts.size, cuda.gridDim.x):
        left = shots - block * BLOCK
        count = left if left < BLOCK else BLOCK
        key = key_of(seed, block)
        c = multiply(thread + 1, STEP)
        step = multiply(threads, STEP)
        mine = uint32(0)
        for _ in range((count - thread + threads - 1) // threads):
            mine = uint32(mine + inside(mix(uint32(c ^ key))))
            c = uint32(c + step)
        cuda.atomic.add(counts, block, mine)


def hits_cuda(shots, seed, blocks=None):
    """Return the hits of each block of shots, from the device.

    seed    of the run, 64 bits
    blocks  of threads; one a block of shots by default
    """
    pieces = -(-check_shots(shots) // BLOCK)
    counts = cuda.to_device(np.zeros(pieces, np.uint32))
    hits_limit[blocks or pieces, THREADS](shots, np.uint64(seed), counts)
    return counts.copy_to_host()


def pi_cuda_limit(shots, rng=None):
    """Return π estimated from `shots` points on a device.

    rng  random.Random, which gives the run's seed
    """
    return 4.0 * int(hits_cuda(shots, _seed(rng)).sum()) / shots
