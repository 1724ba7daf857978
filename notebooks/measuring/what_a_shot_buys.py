"""What *What does one more digit of π cost?* concludes."""

import math
from itertools import pairwise

import numpy as np

from onthefly.experiments.speed import error_law
from onthefly.measure import models
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, unresolved

MINUTE, YEAR = 60, 365.25 * 86400  # seconds


@judge("pi-error-power-law")
def power_law(law):
    return law["b"]


@figure(x="shots", y="relative error (root mean square)")
def error_law_figure(measured, shots):
    return {"measured": measured, "theory": error_law.theory(shots)}


@expect
def agrees(law):
    theory = math.sqrt((4 - math.pi) / math.pi)
    within = law["a"].low <= theory <= law["a"].high
    return law["b"] > -0.55, law["b"] < -0.45, within


@judge("pi-error-and-time-against-size")
def error_and_time(times, measured, shots):
    took = [times.seconds("NumPy", n) for n in shots]
    rises = [later > sooner for sooner, later in pairwise(took)]
    falls = [later < sooner for sooner, later in pairwise(measured.values())]
    held = Quantity.held(rises + falls)
    return held if held.is_exact else unresolved(held.note)


def a_digit(law):
    return error_law.shots_a_digit(law["b"])


def six_digits(cost):
    return (cost[6] / Quantity.exact(MINUTE, "s")).named("minutes")


def nine_digits(cost):
    return (cost[9] / Quantity.exact(YEAR, "s")).named("years")


def strips_law(counts, strip_errors):
    return models.power(counts, strip_errors.values())


def by_strips(strips, strip_errors):
    enough = next(n for n, error in strip_errors.items() if error < 1e-9)
    return strips.seconds("strips", enough)


@figure(x="time of a call", y="relative error", time="x")
def bought_figure(times, measured, strips, strip_errors):
    """Strips reach a small error in far less time than random points."""
    return {
        "points": {
            times.seconds("NumPy", n).value: q for n, q in measured.items()
        },
        "strips": {
            strips.seconds("strips", n).value: Quantity.exact(error)
            for n, error in strip_errors.items()
        },
    }


@answer("one-more-digit")
def one_more_digit(a_digit, cost, by_strips):
    """Look for a better method before a faster machine: each digit takes a
    hundred times the random points. NumPy on one core needs
    {six_digits.about} for six digits, where a sum of strips has nine in
    {by_strips.about}.
    """
    return a_digit > 50, a_digit < 200, cost[6] / by_strips > 1000


@figure(x="shots", y="error (standard deviations)", logy=False)
def suspects_figure(scatter):
    """A right program stays at 1."""
    return scatter


def late(scatter, shots):
    return scatter["loses"][shots[-1]]


def spread(scatter):
    return error_law.pooled(scatter["repeats"].values()).named("×")


def fair(scatter):
    return error_law.pooled(scatter["knows"].values())


@expect
def excludes(late, spread, scatter):
    repeated = [q > 1 for q in scatter["repeats"].values()]
    return late > 1.2, scatter["loses"][1000] < 1.2, spread > 1.2, repeated


def differ(single):
    return sum(more != 0 for more in single)


def forgiven(above):
    return int(np.count_nonzero(np.sqrt(above) <= 1))


def one_in(beside):
    return 2**48 / beside


def due(draws, one_in):
    return draws * 10**6 / one_in


def root_cost(kernel_times):
    return kernel_times.ratio("float64, root", "float64", 10_000)


def single_gain(kernel_times):
    return kernel_times.ratio("float64", "float32", 10_000)


def halved(book):
    return book.timings_of("the-roof", "halves").ratio("8 bytes", "4 bytes")


def one_by_one(book):
    chained = book.timings_of("the-roof", "halves, one after the other")
    return chained.ratio("8 bytes", "4 bytes")


@answer("float32")
def in_float32(halved, single_gain, one_by_one, differ):
    """Try it where a loop waits for memory: a compiled cubic on arrays that
    fit no cache is {halved.about} faster in float32 than in float64. A loop
    in which each number waits for the one before gains nothing, and results
    may change.
    """
    gains = halved > 1, single_gain > 1, halved > single_gain
    return gains, one_by_one < 1.2, differ > 0
