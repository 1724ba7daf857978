"""What a worker process does with numbers that it finds in shared memory."""

from multiprocessing import shared_memory

import numpy as np


def sum_of(name, count):
    """Return the sum of the first numbers in a block of shared memory.

    name   of the block, as `SharedMemory.name` tells it
    count  how many numbers of eight bytes (float64) to add

    Raises FileNotFoundError where there is no such block.
    """
    block = shared_memory.SharedMemory(name)
    try:
        return float(np.ndarray(count, buffer=block.buf).sum())
    finally:
        block.close()
