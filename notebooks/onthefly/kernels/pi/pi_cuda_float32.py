"""π on a CUDA device in single precision: by `numba.cuda.random`, and by a
conversion that needs no double precision on its way."""

import numba
from numba import cuda, float32, uint32  # the simulator looks for `cuda`
from numba.cuda.random import (
    xoroshiro128p_next,
    xoroshiro128p_uniform_float32,
)

from onthefly.kernels.pi.pi_cuda import (
    fewer,
    missing,
    pi_cuda,
    share,
    stream,
)

__all__ = ["hits_float32", "hits_single", "missing", "pi_cuda_float32",
           "stream", "unit_float32"]  # fmt: skip


@numba.njit
def unit_float32(states, k):
    """Draw a float32 from 0 to below 1 from the upper 24 bits of a word."""
    word = xoroshiro128p_next(states, k) >> uint32(40)
    return float32(uint32(word)) * float32(2.0**-24)


@cuda.jit
def hits_float32(shots, hits, states):
    """Count as `pi_cuda.hits_stride`, by the library's float32 numbers."""
    k = cuda.grid(1)
    streams = fewer(states.size, cuda.gridsize(1))
    if k < streams:
        found = 0
        for _ in range(share(shots, k, streams)):
            x = xoroshiro128p_uniform_float32(states, k)
            y = xoroshiro128p_uniform_float32(states, k)
            if x * x + y * y <= float32(1.0):
                found += 1
        hits[k] = found


@cuda.jit
def hits_single(shots, hits, states):
    """Count as `hits_float32`, with no double precision at all."""
    k = cuda.grid(1)
    streams = fewer(states.size, cuda.gridsize(1))
    if k < streams:
        found = 0
        for _ in range(share(shots, k, streams)):
            x = unit_float32(states, k)
            y = unit_float32(states, k)
            if x * x + y * y <= float32(1.0):
                found += 1
        hits[k] = found


def pi_cuda_float32(shots, rng=None, threads=128, kernel=hits_single):
    """Return π estimated from `shots` points in single precision.

    rng, threads  as in `pi_cuda.pi_cuda`
    kernel        `hits_single` or `hits_float32`
    """
    return pi_cuda(shots, rng, threads, kernel)
