"""What *A first benchmark* concludes."""

from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge


@judge("pi-hit-ratio-estimate")
def hit_ratio(close):
    return Quantity.share_of(close)


def once(wrong, readings):
    """Return the first reading, and the ends of the forty."""
    ends = {
        "first": wrong,
        "fastest": min(readings),
        "slowest": max(readings),
    }
    return {name: Quantity.exact(value, "s") for name, value in ends.items()}


def right(times):
    return times.seconds("Numba", 10_000)


def gain(times):
    return times.ratio("Python", "Numba", 10_000)


def wrongly(times, once):
    return times.seconds("Python", 10_000) / once["first"]


@figure(x="time of 10,000 shots", log=True)
def wrong_and_right(times, once, right):
    python = times.seconds("Python", 10_000)
    return {
        "one reading, compiled": once["first"],
        "Python": python,
        "compiled": right,
    }


def alike(twins):
    return [twins.ratio("NumPy", "NumPy again", n) for n in twins.sizes()]


def kept(alike):
    return sum(q.low <= 1 <= q.high for q in alike)


@expect
def same(alike, kept):
    return kept >= 2, [(q > 0.9, q < 1.1) for q in alike]


@judge("timing-monotonic-clock")
def clock(loops):
    return loops.ratio("the talk's way", "timeit", 1000)


def some(loops):
    """Return {calls: time of one, over that of one of a thousand}."""
    time = {n: loops.seconds("the talk's way", n) for n in (1, 10, 1000)}
    return {n: time[n] / time[1000] for n in (1, 10)}


@answer("timeit-disagrees")
def timeit_disagrees(once, right, some):
    """Both may be, of different calls: `%timeit` repeats a call and drops
    what came before. The first call of the page's loop in Numba took
    {once[first].about}, which its program does wait for, a later one
    {right.about}; and NumPy's π of 1,000 points takes {some[1].about} as
    long alone as among a thousand calls. So time the first call apart, and
    the others as your program makes them: with large arrays a loop that
    repeats a call may keep memory that your program gives back between calls
    (*The jump*).
    """
    return once["first"] / right > 10, some[1] > 1
