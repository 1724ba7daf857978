"""What *The gradient that was nan* concludes."""

import numpy as np

from onthefly.experiments.tensorflow import printed
from onthefly.experiments.then import talks
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge

CLAIMS = (
    "log1pexp-gradient-at-zero",
    "log1pexp-gradient-nan",
    "log1pexp-custom-gradient",
)


def _as_printed(texts):
    """Return the share of each claim's parts that a text has."""
    held = [
        printed.compared(printed.then(claim), text)
        for claim, text in zip(CLAIMS, texts, strict=True)
    ]
    return [Quantity.share_of(one.values()) for one in held]


def shares_today(printed_today, cured):
    return _as_printed(
        [printed_today["0"], printed_today["100"], cured["slopes"]]
    )


def shares_then(then):
    plain = talks.lines(then, "1.5", "slopes")
    return _as_printed([*plain, talks.text(then, "1.5", "custom_slopes")])


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
def as_then(shares_then):
    return [share.value == 1 for share in shares_then]


@expect
def breaks(last, limit, limit_double):
    return (
        abs(last["32"] - limit) <= 2 * np.spacing(limit),
        abs(last["64"] - limit_double) <= 2 * np.spacing(limit_double),
    )


@figure(x="x", y="right digits of the slope", logx=False, logy=False)
def headline(grid, digits):
    """Right digits of the slope in float32: as written, none beyond
    {zeros[last slope above 0]:.1f}; by the custom gradient, none far below 0.
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
