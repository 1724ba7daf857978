"""What *Trained for eight bits* concludes."""

import numpy as np

from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table


def _typical(shares):
    return Quantity.median(list(shares), unit="%")


def score(floats, afterwards, with_bits, by_hand):
    """Return the share of classes that the median network finds."""
    return {
        "in floats": _typical(floats),
        "eight bits, quantised afterwards": _typical(afterwards),
        "eight bits, trained for it": _typical(with_bits),
        "cut by hand": _typical(by_hand),
    }


def lost(floats, afterwards):
    return _typical(np.subtract(floats, afterwards).tolist())


def gained(with_bits, afterwards):
    return _typical(np.subtract(with_bits, afterwards).tolist())


def cured(by_hand, afterwards):
    return _typical(np.subtract(by_hand, afterwards).tolist())


@figure(x="classes found, of unseen points")
def headline(score):
    return {name: q for name, q in score.items() if name != "cut by hand"}


def _seen(looks):
    return Quantity.share_of(looks.values())


@expect
def all_seen(traced, rewritten):
    return [
        bool(seen) for looks in (traced, rewritten) for seen in looks.values()
    ]


@judge("graphs-are-transformable-quantization")
def trains_with_quantization(traced, rewritten=None):
    """It brings {gained.about} more classes, in points, than rounding
    afterwards, on data made so that rounding hurts.
    """
    return rewritten and _seen(rewritten), _seen(traced)


@table
def features(seen_x):
    """Three of the eight features."""
    names = "the first", "number 2", "number 3"
    return [
        {
            "feature": name,
            "least": Quantity.exact(values.min()),
            "half lie below": Quantity.exact(np.median(values)),
            "greatest": Quantity.exact(values.max()),
        }
        for name, values in zip(names, seen_x.T[:3], strict=True)
    ]


def distinct(ends, seen_x, fake_bits):
    """Return how many values of each grid the other features use."""
    return {
        name: len(np.unique(fake_bits.whole(seen_x[:, 1:], *pair)[0]))
        for name, pair in ends.items()
    }


def loss(tails, losses):
    return dict(zip(tails, map(_typical, losses), strict=True))


@figure(
    x="how far the amounts reach (tail)",
    y="accuracy lost, in points",
    logx=False,
    logy=False,
)
def tails_figure(loss):
    return {"in eight bits": loss}


@figure(x="bits", y="classes found", logx=False, logy=False, better="more")
def bits_figure(few_bits, widths):
    return {
        name: dict(zip(widths, map(_typical, shares), strict=True))
        for name, shares in few_bits.items()
    }


def ahead(bits_figure):
    return bits_figure["trained"][4] - bits_figure["cut by hand"][4]
