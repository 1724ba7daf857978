"""What *How to replace a Python loop with NumPy arrays* concludes."""

from onthefly.experiments.numba.loops_then import NOW, THEN
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge


def gains(times, sizes):
    return {n: times.ratio("loop", "arrays", n) for n in sizes}


def most(sizes):
    return sizes[-1]


def gain(gains, most):
    return gains[most]


def pays(gains, most):
    return min((n for n, q in gains.items() if q.value > 1), default=most)


def fixed(times):
    return times.seconds("arrays", 1)


def a_point(times):
    return times.seconds("loop", 1000) / 1000


def worth(fixed, a_point):
    return (fixed / a_point).named("")


@figure(x="points", y="times faster than the loop")
def gains_figure(gains):
    """Below 1, the loop is faster."""
    return {"arrays": gains}


@answer("arrays-from-which-size")
def arrays_from_which_size(gains, pays, gain):
    """Use arrays from {pays:,} elements on, the first of the sizes measured
    at which they win, and a loop for a few: these do not earn back the fixed
    overhead of each call into NumPy. At {most:,} random points, arrays are
    {gain.about} faster than the loop.
    """
    return gains[pays] > 1, gain > 1


def then(talked):
    return talked.ratio(f"π, loop, {THEN}", f"π, arrays, {THEN}", 10**6)


def today(talked):
    return talked.ratio(f"π, loop, {NOW}", f"π, arrays, {NOW}", 10**6)


@judge("numpy-against-python")
def numpy_against_python(then, today):
    return then, today


@expect
def as_said(counts):
    return [
        (few == many) == (name == "all by array")
        for name, (few, many) in counts.items()
    ]


@judge("numpy-loops-move-into-c")
def loops_move_into_c(as_said):
    return Quantity.share_of(as_said)


def part(moved):
    return moved.ratio("loop", "squares by array", 10_000)


def last(moved):
    return moved.ratio("squares by array", "all by array", 10_000)


@figure(x="points in a piece")
def piece_figure(best):
    return best


@expect
def middle_wins(best):
    each = {n: best.seconds("100,000 points", n) for n in best.sizes()}
    return [each[10_000] < each[end] for end in (100, 100_000)]
