"""What *Whole arrays* concludes."""

from onthefly.experiments.numba.loops_then import NOW, THEN
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge

KEPT = "temporaries, memory kept"


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


@answer("arrays-from-which-size")
def arrays_from_which_size(gains, pays, gain):
    """At {pays:,} points they gain already, by the page's loop over random
    points: there the fixed cost of seven calls into NumPy, {fixed.about}, is
    earned. At {most:,} points arrays are {gain.as_speed} the loop.
    """
    return gains[pays] > 1, gain > 1


def then(talked):
    return talked.ratio(f"π, loop, {THEN}", f"π, arrays, {THEN}", 10**6)


def today(talked):
    return talked.ratio(f"π, loop, {NOW}", f"π, arrays, {NOW}", 10**6)


@judge("numpy-against-python")
def numpy_against_python(then, today):
    return then, today


def since(talked):
    return {
        way: talked.ratio(f"π, {way}, {THEN}", f"π, {way}, {NOW}", 10**6)
        for way in ("loop", "arrays")
    }


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


def whole(moved):
    return moved.ratio("loop", "all by array", 10_000)


@figure(per="point", x="points")
def temporaries_figure(temporaries):
    return temporaries


def dear(temporaries):
    return temporaries.ratio("temporaries", KEPT, 100_000)


def cured(temporaries):
    return temporaries.ratio("temporaries", "arrays made once", 100_000)


def left(temporaries):
    return temporaries.ratio(KEPT, "arrays made once", 100_000)


def faults(temporaries):
    return {
        way: temporaries.count("page faults", way, 100_000)
        for way in temporaries.names
    }


@expect
def middle_wins(best):
    each = {n: best.seconds("100,000 points", n) for n in best.sizes()}
    return [each[10_000] < each[end] for end in (100, 100_000)]
