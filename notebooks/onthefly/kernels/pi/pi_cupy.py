"""π by CuPy on a CUDA device: NumPy's lines, fused, and as a raw kernel.

Import it only where there is a device.  Source: Okuda, PyCon JP 2018,
slides 28 and 52.
"""

import functools

import cupy as cp
import numpy as np

from onthefly.kernels import check_shots
from onthefly.kernels.pi import pi_raw
from onthefly.tools import occupancy

stream = cp.random.default_rng


def inside_cupy(x, y):
    """Return which points (x, y) hit: four kernels."""
    return x * x + y * y <= 1.0


inside_fused = cp.fuse(kernel_name="inside")(inside_cupy)  # one kernel


def hits_cupy(shots, rng=None, inside=inside_cupy):
    """Return the hits of `shots` points as an array on the device."""
    draw = (rng or cp.random).random
    x, y = draw(shots), draw(shots)
    return cp.count_nonzero(inside(x, y))


def pi_cupy(shots, rng=None):
    """Return π estimated from `shots` points, one operation at a time."""
    shots = check_shots(shots)
    return 4.0 * int(hits_cupy(shots, rng)) / shots


def pi_cupy_fused(shots, rng=None):
    """Return π as `pi_cupy` does, the arithmetic fused to one kernel."""
    shots = check_shots(shots)
    return 4.0 * int(hits_cupy(shots, rng, inside_fused)) / shots


_kernel = cp.RawKernel(pi_raw.SOURCE, "hits")


@functools.cache
def held(threads=pi_raw.THREADS):
    """Return how many blocks of the raw kernel the device holds at once."""
    device = occupancy.present_cupy(cp.cuda.Device())
    return occupancy.wave(device, threads, _kernel.num_regs)


def hits_cupy_raw(shots, key, blocks=None, threads=pi_raw.THREADS):
    """Return the hits of the raw kernel, as an array of one number.

    blocks  of the launch; by default as many as the device holds, but none
            without a shot
    """
    total = cp.zeros(1, dtype=cp.uint64)
    blocks = blocks or min(held(threads), -(-shots // threads))
    numbers = np.uint64(shots), np.uint64(key)
    _kernel((blocks,), (threads,), (*numbers, total))
    return total


def pi_cupy_raw(shots, rng=None):
    """Return π from `shots` points by one kernel that makes no array.

    rng  a ``random.Random``, or None: makes the key
    """
    shots = check_shots(shots)
    return 4.0 * int(hits_cupy_raw(shots, pi_raw.key_of(rng))[0]) / shots
