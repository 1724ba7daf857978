"""Two threads that count in cells of memory."""

import numpy as np

from onthefly.experiments.numba.false_sharing import bump, cells_at
from onthefly.tools import threads


def test_cells_of_their_own_lose_nothing():
    cells, place = np.zeros(16, np.int64), np.zeros(8, np.int64)
    with threads.pool(2, tied=True) as pool:
        list(pool.map(lambda k: bump(cells, place, k, 10**5), (0, 1)))
    assert cells[:2].tolist() == [10**5, 10**5] and not cells[2:].any()


def test_cells_begin_where_they_are_asked_to():
    for boundary in (8, 64, 256, 4096):
        cells = cells_at(boundary)
        assert cells.ctypes.data % boundary == 0
        assert len(cells) == 64 and not cells.any()
