"""What *What does a call cost, and when does NumPy pay?* concludes."""

import math

from onthefly.experiments.numba import call_ahead
from onthefly.figures import plots
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge


def rise(times):
    return {
        k: times.seconds(k, 100) / times.seconds(k, 10) for k in times.names
    }


@figure(x="shots", y="measured, over predicted", logy=False)
def unseen_figure(off):
    return off


@expect
def near_line(off):
    guesses = [q for ratios in off.values() for q in ratios.values()]
    return [(q > 0.8, q < 1.2) for q in guesses]


def far(beyond, numpy):
    """Return a call far beyond the fit, over what the line predicts."""
    return beyond.seconds("NumPy", 10**6) / numpy.at(10**6)


def gain(times):
    return times.ratio("Python", "NumPy", 10_000)


@expect
def sides(around, near):
    half, _, twice = (around.ratio("Python", "NumPy", n) for n in near)
    return half < 1, twice > 1


@figure
def lines_figure(times, python, numpy, pays):
    """The lines (dashed: a + b·n) cross at {pays.about} shots."""
    return plots.chart(
        times,
        x="shots",
        fits={"Python": python, "NumPy": numpy},
        marks=[(pays.value, "arrays pay")],
    )


def root(border):
    return {name: border.seconds(name, 2) for name in border.names}


@expect
def api_cheapest(border):
    others = [name for name in border.names if name != "C API"]
    return [border.ratio(name, "C API", 2) > 1 for name in others]


def longer(ahead):
    others = [name for name in ahead.names if name != call_ahead.API]
    return {name: ahead.ratio(name, call_ahead.API, 2) for name in others}


@answer("price-of-a-call")
def price_of_a_call(root, longer):
    """For one square root, a function in C that uses Python's API takes
    {root[C API].about}, a function compiled by Numba {root[Numba].about}, a
    call by `ctypes` {root[ctypes].about}, and NumPy's `np.sqrt`
    {root[NumPy].about}. A function in Python takes {root[Python].about}. A
    function compiled ahead of time takes {longer[Cython].about} as long as
    the function in C by Cython, {longer[mypyc].about} by mypyc and
    {longer[Pythran].about} by Pythran. Pass whole arrays or move the loop
    into the compiled function, and the call no longer matters.
    """
    return root["ctypes"] > root["C API"], longer["Cython"] < 2


@judge("speedup-to-time-saved")
def time_saved(saved):
    printed = {10: 90, 20: 95, 50: 98, 100: 99}
    right = [round(100 * saved(s)) == share for s, share in printed.items()]
    return Quantity.share_of(right)


def worst(bent):
    return max(bent.values(), key=lambda q: abs(math.log(q.value)))


@expect
def bends(worst):
    return worst > 1.2 if worst.value > 1 else worst < 1 / 1.2
