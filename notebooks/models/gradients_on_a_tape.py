"""What *Gradients on a tape* concludes."""

from onthefly.experiments.tensorflow import printed
from onthefly.experiments.then import talks
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table

SQUARE, SECOND = "gradient-of-square", "second-gradient-of-square"


def was(then):
    return talks.lines(then, "1.5", "gradients")


def _share(claim, lines):
    """Return which share of what a claim printed these lines print."""
    held = printed.compared(printed.then(claim), "; ".join(lines))
    return Quantity.share_of(held.values())


@judge(SQUARE)
def of_square(now, was=None):
    return was and _share(SQUARE, was[:2]), _share(SQUARE, now[:2])


@judge(SECOND)
def second_of_square(now, was=None):
    return was and _share(SECOND, was[2:]), _share(SECOND, now[2:])


def slides():
    return "; ".join(map(printed.then, (SQUARE, SECOND))).split("; ")


@table
def lines(slides, now, then=None):
    """Gradients, on the slides and printed."""
    return printed.rows(slides, talks.columns(then, now, "gradients"))


@expect
def in_a_list(slides, was, now):
    same = printed.compared("; ".join(was), "; ".join(now))
    return slides not in (was, now), *same.values()


@judge("gradient-tape-recording")
def plays_back(tries):
    return Quantity.share_of(tries)


def slower(times):
    return {name: times.ratio(name, "eager", 100) for name in times.names}


def graph_gain(times):
    return times.ratio("gradient", "gradient by a graph", 100)


@figure(x="operations in a call")
def headline(times):
    return times


def each(times):
    return {name: times.seconds(name, 100) / 100 for name in times.names}
