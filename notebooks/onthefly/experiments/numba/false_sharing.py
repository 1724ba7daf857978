"""Two threads, each on a core of its own, that count in cells of memory."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import njit


@njit(nogil=True)
def bump(cells, place, spot, steps):
    """Add 1 to one cell so many times, each time in memory.

    `place` holds 8 zeros, which the compiler does not know.
    """
    for i in range(steps):
        cells[place[i & 7] + spot] += 1


def cells_at(boundary, count=64):
    """Return cells, zeros of 8 bytes, that begin at a boundary of memory.

    boundary  in bytes, a multiple of 8; the first cell's address is a
              multiple of it
    count     how many cells
    """
    raw = np.zeros(count + boundary // 8, np.int64)
    first = -(raw.ctypes.data // 8) % (boundary // 8)
    return raw[first : first + count]


def tied_pool():
    """Return a pool of two threads, each tied to a core of its own.

    Where there is one core, or the system does not tie threads, they are
    free.
    """
    gate = threading.Barrier(2)
    cores = iter(getattr(os, "sched_getaffinity", lambda _: ())(0))

    def tie():
        core = next(cores, None)
        if core is not None:
            os.sched_setaffinity(0, {core})

    pool = ThreadPoolExecutor(2, initializer=tie)
    list(pool.map(lambda _: gate.wait(), range(2)))
    return pool
