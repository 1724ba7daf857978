"""What *The cost of a call* concludes."""

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
    """For one square root, {root[C API].about} by a function in C that uses
    Python's API, {root[Numba].about} by Numba, {root[NumPy].about} by a ufunc
    of NumPy and {root[ctypes].about} by `ctypes`; a function of Python's own
    takes {root[Python].about}. Compiled ahead, a call by Cython is
    {longer[Cython].as_time} one by that API, by mypyc
    {longer[mypyc].as_time} it, by Pythran {longer[Pythran].as_time} it. Hand
    over arrays or whole loops, and the call does not matter.
    """
    return root["ctypes"] > root["C API"], longer["Cython"] < 2


@judge("speedup-to-time-saved")
def time_saved(saved):
    printed = {10: 90, 20: 95, 50: 98, 100: 99}
    right = [round(100 * saved(s)) == share for s, share in printed.items()]
    return Quantity.share_of(right)


def less(programs):
    """Return the share of the program's time that is saved."""
    left = programs.seconds("NumPy") / programs.seconds("Python")
    return (1 - left).named("%")


def worst(bent):
    return max(bent.values(), key=lambda q: abs(math.log(q.value)))


@expect
def bends(worst):
    return worst > 1.2 if worst.value > 1 else worst < 1 / 1.2
