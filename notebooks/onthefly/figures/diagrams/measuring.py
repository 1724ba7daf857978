"""Measuring: what the order of runs does to a comparison."""

from onthefly.figures.diagrams.canvas import COST, IDLE, OTHER, PYTHON, Canvas
from onthefly.figures.diagrams.lanes import Lanes

FAST, SLOW = 9.5, 15  # the time of a run


def rounds():
    """Two equal methods, A and B, are timed while the machine slows down.
    Measured one after the other, A looks faster. Measured in rounds of both,
    in random order, each has its share of fast and slow time.
    """
    canvas = Canvas()
    machine = Lanes(canvas, ["machine"])
    machine.box(0, 0, 4 * FAST, "fast", IDLE)
    machine.box(0, 4 * FAST, 4 * (FAST + SLOW), "slow", COST)
    canvas.heading("One after the other: A looks faster")
    _runs(canvas, "AAAABBBB")
    canvas.heading("In rounds, in random order: they are equal")
    lanes, ends = _runs(canvas, "ABBABAAB")
    for start, end in zip(ends[:-1:2], ends[2::2], strict=True):
        lanes.bracket(start, end, "round", below=True)
    lanes.axis()
    return canvas


def _runs(canvas, order):
    """Draw eight runs, of which four are fast.

    order  the methods, each a letter

    Returns the Lanes, and when the runs begin and the last one ends.
    """
    lanes, ends = Lanes(canvas, ["runs"]), [0]
    for k, method in enumerate(order):
        ends.append(ends[-1] + (FAST if k < 4 else SLOW))
        lanes.box(0, *ends[-2:], method, PYTHON if method == "A" else OTHER)
    return lanes, ends
