"""What *One point in ten million* concludes."""

import math

import numpy as np

from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure

RING = math.pi / 4 * 2**-23  # the area that belongs to the forgiven number


def differ(single):
    return sum(more != 0 for more in single)


def forgiven(above):
    return int(np.count_nonzero(np.sqrt(above) <= 1))


@figure(
    x="floats above 1",
    y="its root, in floats above 1",
    logx=False,
    logy=False,
)
def roots_figure(above):
    """The root of the first float above 1 is rounded to 1; that of the second
    is not.
    """
    first = above[:8]
    roots = {
        "on paper": np.sqrt(first.astype(float)),
        "float32": np.sqrt(first),
    }
    return {
        name: {
            k: Quantity.exact((root - 1) * 2**23)
            for k, root in enumerate(some, 1)
        }
        for name, some in roots.items()
    }


def one_in(beside):
    return f"{2**48 / beside:,.0f}"


def due(draws, beside):
    return draws * 10**6 * beside / 2**48


def of_the_ring(beside, ties):
    return (beside + ties / 2) / (RING * 2**48)


@expect
def ties_make_up(of_the_ring, beside):
    return abs(of_the_ring - 1) < 0.002, beside / 2**48 < RING


def wait(times):
    points = 1 / (math.pi / 4 * 2**-52)
    shot = times.seconds("float64", 10_000) / 10_000
    return (shot * points / (365.25 * 86400)).named("years")


def root_cost(times):
    return times.ratio("float64, root", "float64", 10_000)


def single_gain(times):
    return times.ratio("float64", "float32", 10_000)


def halved(book):
    return book.timings_of("the-roof", "halves").ratio("8 bytes", "4 bytes")


def one_by_one(book):
    chained = book.timings_of("the-roof", "halves, one after the other")
    return chained.ratio("8 bytes", "4 bytes")


@answer("float32")
def in_float32(halved, single_gain, one_by_one, differ):
    """As far as bytes set the pace, or a vector's width: a compiled cubic on
    arrays that no cache holds is in float32 {halved.as_speed} in float64,
    and NumPy's π of 10,000 points, which stay in a cache,
    {single_gain.as_speed} in float64. Not where each number waits for the one
    before: a filter is {one_by_one.as_speed} in float64. And the result may
    change: with a root, float32 counts one point in {one_in} more than
    without it.
    """
    gains = halved > 1, single_gain > 1, halved > single_gain
    return gains, one_by_one < 1.2, differ > 0
