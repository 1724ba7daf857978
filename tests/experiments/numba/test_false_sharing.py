"""Where cells of memory lie."""

from onthefly.experiments.numba.false_sharing import cells_at


def test_cells_begin_where_they_are_asked_to():
    for boundary in (8, 64, 256, 4096):
        cells = cells_at(boundary)
        assert cells.ctypes.data % boundary == 0
        assert len(cells) == 64 and not cells.any()
