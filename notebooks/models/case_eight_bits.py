"""What *Eight bits* concludes."""

from onthefly import figures
from onthefly.experiments.tensorflow import eight_bits
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, figure, judge, table


def shares(answers):
    """Return the share of the images that get another class."""
    return {k: eight_bits.share_of_others(one) for k, one in answers.items()}


def lost(answers):
    return {k: eight_bits.accuracy_lost(one) for k, one in answers.items()}


def gaps(answers):
    return {k: f"{one['gap']:.2g}" for k, one in answers.items()}


@table
def formats(sizes, shares, lost, gaps):
    """Five ways to write the same network."""
    return [
        {
            "numbers": k,
            "bytes": f"{size:,}",
            "other classes": shares[k],
            "accuracy lost": lost[k],
            "largest difference of a score": gaps[k],
        }
        for k, size in sizes.items()
    ]


def smaller(sizes):
    return Quantity.exact(sizes["int8"] / sizes["float32"], "%")


def ten_bits(known_types):
    return any("10" in name for name in known_types["of the schema"])


@judge("lite-number-formats")
def number_formats(known_types, answers, ten_bits):
    held = [
        name in known_types["held"][k] and answers[k]["finite"]
        for k, name in (("int8", "INT8"), ("float16", "FLOAT16"))
    ]
    return Quantity.share(sum(held) + ten_bits, 3)


@figure(alt="The bytes of each file: of its weights and of its structure")
def bytes_figure(parts):
    """Eight bits take a quarter of 32 for the weights; the structure does
    not shrink.
    """
    stacked = {
        k: {part: Quantity.exact(n) for part, n in each.items()}
        for k, each in parts.items()
    }
    return figures.stacked(stacked, x="bytes of the file")


def int8_file(parts, sizes):
    left = parts["int8"]["weights"] / parts["float32"]["weights"]
    structure = parts["int8"]["structure"] / sizes["int8"]
    return {
        "weights left": Quantity.exact(left, "%"),
        "structure": Quantity.exact(structure, "%"),
    }


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
    lost = map(eight_bits.accuracy_lost, dim_answers)
    return {
        "other classes": changed,
        "accuracy lost": dict(zip(levels, lost, strict=True)),
    }


@answer("eight-bits")
def what_eight_bits_cost(lost, shares, dim_share, smaller):
    """By LiteRT a small network in 8-bit integers is {gain[int8].as_speed}
    it in 32-bit numbers, with 100 images a call, and with the weights alone
    in eight bits {gain[weights].as_speed} it: time it where it will run. The
    file keeps {smaller.about} of its bytes, and of 2,000 images
    {shares[int8].about} get another class; {dim_share.about} where the
    examples for the conversion were too dark, so take them from where the
    images will come from.
    """
    wrong_range = dim_share > shares["int8"]
    return lost["int8"] < 0.01, wrong_range, smaller.value < 0.5


def cut(best, ranges):
    """Return the share of images whose best score noise's range cuts."""
    top_of_noise = ranges[0][1]
    return Quantity.share(sum(one > top_of_noise for one in best), len(best))


def dark_on_dark(on_dark):
    return eight_bits.share_of_others(on_dark["0.25"])
