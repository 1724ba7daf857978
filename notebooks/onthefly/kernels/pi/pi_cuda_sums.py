"""Adding up the hits of all threads of a CUDA device: by the host, by atomic
additions, in shared memory, and by shuffles within a warp; and by a plain
``+=``, which loses.

Each kernel takes ``(shots, total, states)``: the shots are shared among the
streams, and `total` holds one element, or one a stream for `slots`.
"""

import numpy as np
from numba import cuda, int32  # the simulator looks for `cuda`

from onthefly.kernels import check_shots
from onthefly.kernels.pi.pi_cuda import (
    fewer,
    hits_thread,
    share,
    xoroshiro128p_uniform_float64,
)
from onthefly.kernels.pi.pi_cuda import hits_stride as slots

BLOCK = 1024  # threads of a block, at most
WARP = 32


@cuda.jit
def each_hit(shots, total, states):
    """Add each hit by itself."""
    k = cuda.grid(1)
    streams = fewer(states.size, cuda.gridsize(1))
    if k < streams:
        for _ in range(share(shots, k, streams)):
            x = xoroshiro128p_uniform_float64(states, k)
            y = xoroshiro128p_uniform_float64(states, k)
            if x * x + y * y <= 1.0:
                cuda.atomic.add(total, 0, 1)


@cuda.jit
def each_thread(shots, total, states):
    """Count in each thread, then add once."""
    k = cuda.grid(1)
    streams = fewer(states.size, cuda.gridsize(1))
    if k < streams:
        hits = hits_thread(share(shots, k, streams), states, k)
        cuda.atomic.add(total, 0, hits)


@cuda.jit
def shared_tree(shots, total, states):
    """Add up a block in its shared memory, in halves; then add once."""
    cells = cuda.shared.array(BLOCK, int32)
    k, i = cuda.grid(1), cuda.threadIdx.x
    streams = fewer(states.size, cuda.gridsize(1))
    cells[i] = 0
    if k < streams:
        cells[i] = hits_thread(share(shots, k, streams), states, k)
    cuda.syncthreads()
    width = cuda.blockDim.x
    while width > 1:
        half = (width + 1) // 2
        if i + half < width:
            cells[i] += cells[i + half]
        cuda.syncthreads()
        width = half
    if i == 0:
        cuda.atomic.add(total, 0, cells[0])


@cuda.jit
def warp_shuffle(shots, total, states):
    """Add up a warp in registers, by shuffles; then add once a warp.

    A block must be made of whole warps.
    """
    k = cuda.grid(1)
    streams = fewer(states.size, cuda.gridsize(1))
    hits = 0
    if k < streams:
        hits = hits_thread(share(shots, k, streams), states, k)
    step = WARP // 2
    while step > 0:
        hits += cuda.shfl_down_sync(0xFFFFFFFF, hits, step)
        step //= 2
    if cuda.threadIdx.x % WARP == 0:
        cuda.atomic.add(total, 0, hits)


@cuda.jit
def race_forced(total):
    """All threads of a block read, then all write: one addition is left."""
    value = total[0]
    cuda.syncthreads()
    total[0] = value + 1


WAYS = {
    "slots": slots,
    "each hit": each_hit,
    "each thread": each_thread,
    "shared tree": shared_tree,
    "warp shuffle": warp_shuffle,
}


def additions(way, shots, blocks, threads):
    """Return how many additions to one address a launch makes, on average."""
    return {
        "slots": 0,
        "each hit": round(shots * np.pi / 4),
        "each thread": blocks * threads,
        "shared tree": blocks,
        "warp shuffle": blocks * -(-threads // WARP),
    }[way]


def hits_sum(way, shots, states, blocks, threads, launch):
    """Return the hits of a launch, added up in one of the WAYS.

    states  the streams' states, on the host or the device; they move on
    launch  function that runs a kernel: `pi_cuda.launch`, or that of a
            simulator

    Raises ValueError for blocks that the way cannot add up.
    """
    shots = check_shots(shots)
    if threads > BLOCK or (way == "warp shuffle" and threads % WARP):
        raise ValueError(f"threads: {way} takes no block of {threads}")
    total = np.zeros(states.size if way == "slots" else 1, np.int64)
    launch(WAYS[way], blocks, threads, shots, total, states)
    return int(total.sum())
