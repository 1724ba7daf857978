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


def _over_numpy(cubed, n):
    """Return {library: its time over NumPy's} for one expression."""
    return {
        name: cubed.ratio(name, "NumPy", n) for name in ("NumExpr", "Numba")
    }


def by_size(cubed):
    return _over_numpy(cubed, 100_000)


def at_most(cubed):
    return _over_numpy(cubed, 10**7)


@answer("numexpr-or-numba")
def numexpr_or_numba(by_size):
    """Numba, if the loop compiles: for one cubic of 100,000 numbers it takes
    {by_size[Numba].about} the time of NumPy on one core, and NumExpr
    {by_size[NumExpr].about} on all cores. NumExpr compiles nothing, needs no
    loop, and makes no temporary arrays, so it is for long expressions on
    large arrays.
    """
    return by_size["Numba"] < 1
