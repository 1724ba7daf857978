"""Launches of CUDA kernels that give each element a thread of its own."""

import warnings

from numba import cuda

THREADS = 256  # of a block

# Small arrays are meant here, too.
warnings.filterwarnings("ignore", ".*Grid size")


def blocks(count, threads=THREADS):
    """Return how many blocks have at least so many threads together."""
    return -(-count // threads)


def each(kernel, count, *arguments):
    """Run a kernel with a thread for each of `count` elements, and wait."""
    kernel[blocks(count), THREADS](*arguments)
    cuda.synchronize()
