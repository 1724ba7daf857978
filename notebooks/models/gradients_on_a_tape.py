"""What the page on gradient tapes concludes."""

import numpy as np

from onthefly.experiments.tensorflow import printed
from onthefly.experiments.then import talks
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge

SQUARE, SECOND = "gradient-of-square", "second-gradient-of-square"
CLAIMS = (
    "log1pexp-gradient-at-zero",
    "log1pexp-gradient-nan",
    "log1pexp-custom-gradient",
)


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


@judge("gradient-tape-recording")
def plays_back(tries):
    return Quantity.share_of(tries)


def slower(times):
    return {name: times.ratio(name, "eager", 100) for name in times.names}


def graph_gain(times):
    return times.ratio("gradient", "gradient by a graph", 100)


def single(times):
    return times.ratio("gradient by a graph", "gradient", 1)


def traced(times):
    return times.first("gradient by a graph", 100)


@figure(x="operations in a call")
def tape_figure(times):
    return times


def each(times):
    return {name: times.seconds(name, 100) / 100 for name in times.names}


def _as_printed(texts):
    pairs = zip(CLAIMS, texts, strict=True)
    return [_share(claim, [text]) for claim, text in pairs]


def shares_today(printed_today, cured):
    return _as_printed(
        [printed_today["0"], printed_today["100"], cured["slopes"]]
    )


def shares_then(slopes_then):
    plain = talks.lines(slopes_then, "1.5", "slopes")
    custom = talks.text(slopes_then, "1.5", "custom_slopes")
    return _as_printed([*plain, custom])


@judge("log1pexp-gradient-at-zero")
def at_zero(shares_today, shares_then=(None,) * 3):
    return shares_then[0], shares_today[0]


@judge("log1pexp-gradient-nan")
def at_hundred(shares_today, shares_then=(None,) * 3):
    return shares_then[1], shares_today[1]


@judge("log1pexp-custom-gradient")
def by_the_cure(shares_today, shares_then=(None,) * 3):
    return shares_then[2], shares_today[2]


@expect
def breaks(last, limit, limit_double):
    return (
        abs(last["32"] - limit) <= 2 * np.spacing(limit),
        abs(last["64"] - limit_double) <= 2 * np.spacing(limit_double),
    )


@expect
def zero_by_underflow(zeros, last, smallest):
    end = zeros["last slope above 0"]
    return abs(end - np.log(1 / smallest)) < 1e-4, end < last["32"]


@figure(x="x", y="right digits of the slope", logx=False, logy=False)
def digits_figure(grid, digits):
    """Right digits of the slope in float32: as written, none above
    {zeros[last slope above 0]:.1f}; with the custom gradient, none far
    below 0.
    """
    return {
        name: {
            int(x): Quantity.exact(d) for x, d in zip(grid, each, strict=True)
        }
        for name, each in digits.items()
    }


def no_digit_to(grid, digits):
    return int(grid[np.less(digits["custom gradient"], 1)].max())


@expect
def opposite_sides(grid, digits):
    written, custom = (
        np.array(digits[name]) for name in ("as written", "custom gradient")
    )
    return written[grid < 0].min() > 5, custom[grid > 0].min() > 5
