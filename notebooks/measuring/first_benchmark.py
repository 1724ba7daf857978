"""What *How to benchmark a Python function* concludes."""

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
    """Return one reading of Numba, over a call of Python's benchmark."""
    return once["first"] / times.seconds("Python", 10_000)


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


def lone(loops):
    """Return what a call takes alone, over one of a thousand, by timeit."""
    return loops.seconds("timeit", 1) / loops.seconds("timeit", 1000)


@answer("timeit-disagrees")
def timeit_disagrees(once, right, some):
    """Perhaps both, because they time different calls. `%timeit` repeats a
    call and discards what came before. The first call of a small loop under
    Numba took {once[first].about}, since it also compiles, and a program
    waits for that. A later call took {right.about}. And NumPy's π of 1,000
    points took {some[1].about} as long alone as among a thousand calls. So
    time the first call separately, and time the others as your program makes
    them. With large arrays, a loop that repeats a call may hold on to memory
    that your program returns between calls (*Why does NumPy slow down when
    arrays grow?*).
    """
    return once["first"] / right > 10, some[1] > 1
