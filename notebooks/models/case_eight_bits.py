"""What *What does a network gain and lose in eight bits?* concludes."""

import numpy as np

from onthefly.experiments.tensorflow import eight_bits
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table


def shares(answers):
    """Return the share of the images that get another class."""
    return {k: eight_bits.share_of_others(one) for k, one in answers.items()}


def lost(answers):
    return {k: eight_bits.accuracy_lost(one) for k, one in answers.items()}


@table
def formats(sizes, shares, lost, answers):
    """Five formats of the same network, on 2,000 images."""
    return [
        {
            "numbers": k,
            "bytes": f"{size:,}",
            "other classes": shares[k],
            "accuracy lost": lost[k],
            "largest change of a score": f"{answers[k]['gap']:.2g}",
        }
        for k, size in sizes.items()
    ]


def smaller(sizes):
    return Quantity.exact(sizes["int8"] / sizes["float32"], "%")


def gain(times):
    ways = "int8", "weights"
    return {way: times.ratio("float32", way, 100) for way in ways}


def changed(levels, dim_answers):
    shares = map(eight_bits.share_of_others, dim_answers)
    return dict(zip(levels, shares, strict=True))


def dim_share(changed):
    return changed[0.25]


@figure(
    x="brightness of the examples, times that of the images",
    y="share of the images",
    logx=False,
    logy=False,
)
def headline(changed, levels, dim_answers):
    """Converted with darker examples, the network errs more often."""
    lost = map(eight_bits.accuracy_lost, dim_answers)
    return {
        "other classes": changed,
        "accuracy lost": dict(zip(levels, lost, strict=True)),
    }


@answer("eight-bits")
def what_eight_bits_cost(lost, shares, dim_share, smaller, gain):
    """Try eight bits for the weights first, and time the network where it
    will run: by LiteRT a small network runs {gain[weights].about} faster with
    them than in 32-bit numbers. To calculate in integers, too, convert it
    with examples that look like the images to come: with examples that are
    too dark, {dim_share.about} of the images get another class.
    """
    wrong_range = dim_share > shares["int8"]
    fine = lost["int8"] < 0.01, smaller.value < 0.5, gain["weights"] > 1
    return *fine, wrong_range


def beyond(best, ranges):
    """Return the share of images whose best score noise's range cuts off."""
    top_of_noise = ranges[0][1]
    return Quantity.share(sum(one > top_of_noise for one in best), len(best))


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


def points_lost(floats, afterwards):
    return _typical(np.subtract(floats, afterwards).tolist())


def gained(with_bits, afterwards):
    return _typical(np.subtract(with_bits, afterwards).tolist())


def cured(by_hand, afterwards):
    return _typical(np.subtract(by_hand, afterwards).tolist())


def amounts(seen_x):
    first = seen_x[:, 0]
    return {
        "half": Quantity.exact(np.median(first)),
        "most": Quantity.exact(first.max()),
    }


def distinct(ends, seen_x, fake_bits):
    """Return how many values of each grid the other features use."""
    return {
        name: len(np.unique(fake_bits.whole(seen_x[:, 1:], *pair)[0]))
        for name, pair in ends.items()
    }


@figure(x="bits", y="classes found", logx=False, logy=False, better="more")
def bits_figure(few_bits, widths):
    """Networks trained with the grid, cut by hand, or only quantised."""
    return {
        name: dict(zip(widths, map(_typical, shares), strict=True))
        for name, shares in few_bits.items()
    }


def four(bits_figure):
    return {name: by_bits[4] for name, by_bits in bits_figure.items()}


def ahead(bits_figure):
    return bits_figure["trained"][4] - bits_figure["cut by hand"][4]


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


def _seen(looks):
    return Quantity.share_of(looks.values())


def ten_bits(known_types):
    return any("10" in name for name in known_types["of the schema"])


@judge("lite-number-formats")
def number_formats(known_types, answers, ten_bits):
    held = [
        name in known_types["held"][k] and answers[k]["finite"]
        for k, name in (("int8", "INT8"), ("float16", "FLOAT16"))
    ]
    return Quantity.share(sum(held) + ten_bits, 3)


@judge("model-compression-methods")
def compression(others, sizes):
    """The SavedModel has {others[SavedModel]:,} bytes, frozen
    {others[frozen]:,}, converted {sizes[float32]:,}.
    """
    smaller = [
        others["frozen"] < others["SavedModel"],
        sizes["float32"] < others["SavedModel"],
        sizes["weights"] < sizes["float32"],
        sizes["int8"] < sizes["float32"],
    ]
    return Quantity.share_of(smaller)
