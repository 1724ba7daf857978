"""Two threads, each on a core of its own, that count in cells of memory."""

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
