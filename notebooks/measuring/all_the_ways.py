"""What *One program, every accelerator* concludes."""

from itertools import pairwise

from onthefly.experiments.speed.variants import TAILORED
from onthefly.figures import plots
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge


def chart(times):
    return plots.contest(times, "shot", "shots", TAILORED)


@figure(caption=plots.CONTEST)
def ways_figure(chart):
    return chart


def small(times):
    return times.ratio("NumPy", "Python", 10)


def large(times):
    return times.ratio("Python", "NumPy", 10_000)


def compiled(times):
    return times.ratio("Python", "Numba", 10_000)


def by_c(times):
    return times.ratio("Python", "C", 10_000)


@expect
def compiled_pays(times, compiled):
    return times.ratio("Python", "Numba", 10) > 1, compiled > 1


@expect
def sharing_costs(times):
    shared = "processes", "Dask"
    return [times.ratio("Python", k, 10_000) < 1 for k in shared]


@expect
def ahead(times):
    others = [name for name in times.names if name not in TAILORED]
    return [times.ratio(k, "Numba, hash", 10_000) > 1 for k in others]


def call(times):
    ways = ("Python", "NumPy", "processes")
    return {name: times.seconds(name, 10) for name in ways}


@expect
def dearer(call):
    return [call[a] < call[b] for a, b in pairwise(call)]


@judge("ranking-all-packages")
def held(order, six):
    time = [order.seconds(name, 10**6) for name in six]
    return Quantity.held(a > b for a, b in pairwise(time))


@expect
def overtaken(order):
    pairs = [("TensorFlow", "NumPy"), ("Numba, threads", "C")]
    return [order.ratio(*pair, 10**6) > 1 for pair in pairs]


def share(alone):
    return alone.ratio("two draws", "the whole of π", 10_000).named("%")


def met(predicted, times):
    return predicted / times.seconds("NumPy", 1000)


def expression(times):
    """Return how long NumExpr takes, NumPy being 1, and at which size."""
    n = max({*times.sizes("NumPy")} & {*times.sizes("NumExpr")})
    return {"size": n, "time": times.ratio("NumExpr", "NumPy", n)}


@answer("numexpr-or-numba")
def numexpr_or_numba(expression):
    """NumExpr for one long expression on large arrays, which it computes
    piece by piece, in threads and without temporary arrays. Numba for all
    else: NumExpr compiles no loops and draws no random numbers. Make sure
    that the expression takes most of the time. In our estimate of π NumPy
    draws the numbers, and with {expression[size]:,} points NumExpr takes
    {expression[time].about} the time of NumPy alone.
    """
    return expression["time"] > 0.75
