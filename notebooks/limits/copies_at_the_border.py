"""What *Which arrays are copied into TensorFlow and PyTorch?* concludes."""

import itertools

from onthefly import figures
from onthefly.experiments.overheads.pooling import pooled
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table


@table
def addresses(rows):
    """Conversions between arrays and tensors on the CPU"""
    words = {"copies": "copied", "shares": "shared"}
    return [
        {
            "conversion": row["way"],
            "its memory": words[row["by its address"]],
            "a write to the source shows": row["a write shows"],
        }
        for row in rows
    ]


@expect
def who_copies(rows):
    found = {row["way"]: row["by its address"] for row in rows}
    into, out = "tf.convert_to_tensor(array)", "tensor.numpy(), TensorFlow"
    torch = "torch.from_numpy(array)", "tensor.cpu().numpy(), PyTorch"
    copied = found[into] == "copies", found[out] == "copies"
    return copied, [found[way] == "shares" for way in torch]


@judge("overhead-data-flow")
def data_flow(rows):
    return Quantity.share_of(
        row["in the talk"] == row["by its address"]
        for row in rows
        if row["in the talk"] and "orch" not in row["way"]
    )


@expect
def on_the_line(in_place):
    return list(in_place.values()) == [True, False, False, False]


@figure(x="elements", y="time of a conversion")
def copies_figure(copies):
    return copies


def flat(copies):
    of_one = copies.seconds("torch out", 10**6)
    return of_one / copies.seconds("torch out", 100)


def sums(balance, kits):
    """Return what a whole call takes beyond the resident one, in copies, and
    what calls in turn take, over the sum of their parts.
    """
    whole, in_turn = [], []
    for kit, n in itertools.product(kits, balance.sizes()):
        took = {
            call: balance.seconds(f"{kit} {call}", n)
            for call in ("into", "out", "resident", "whole", "in turn")
        }
        copies, resident = took["into"] + took["out"], took["resident"]
        whole.append((took["whole"] - resident) / copies)
        in_turn.append(took["in turn"] / (copies + resident))
    return {"whole": pooled(whole), "in turn": pooled(in_turn)}


def took(feeding):
    return {name: feeding.seconds(name) for name in feeding.names}


def moved(took):
    return took["feeding"] - took["nothing"]


@figure
def feeding_figure(took, moved):
    """The parts of one estimate of π from {shots:,} points."""
    computing = took["NumPy"] - took["drawing"]
    stack = {
        "NumPy": {"drawing": took["drawing"], "computing": computing},
        "fed": {
            "drawing": took["drawing"],
            "transfer": moved,
            "computing": took["computing"],
        },
        "in the graph": {"drawing and computing": took["drawn"]},
    }
    return figures.stacked(stack, x="time of one estimate")


def gain(feeding):
    return {name: feeding.ratio("NumPy", name) for name in ("fed", "drawn")}


def part(took, moved):
    """Return the shares of the fed run."""
    parts = {"transfer": moved, "drawing": took["drawing"]}
    return {k: (q / took["fed"]).named("%") for k, q in parts.items()}


@judge("feed-dict-cost-components")
def cost_components(took, moved):
    return (took["computing"] + moved) / (took["fed"] - took["drawing"])


@judge("feed-dict-on-avx")
def fed_on_avx(talked, talked_then):
    pair = "NumPy, list of ones", "eager, fed"
    return talked_then.ratio(*pair), talked.ratio(*pair)


def weight(heavy_tensors, hard, jobs):
    """Return {function: {size: share of a call that is overhead}}."""
    return {name: heavy_tensors.overhead(hard, name) for name in [*jobs][::2]}


def last(weight):
    return {name: [*shares.values()][-1] for name, shares in weight.items()}


@figure(x="elements of the input", y="share of overhead", logy=False)
def heavy_figure(weight):
    """TensorFlow: the share of a call, from array to array, that is not the
    function's work.
    """
    return {k: v for k, v in weight.items() if k.startswith("TF")}


@expect
def overhead_falls(weight, last):
    falls = [v[min(v)] > v[max(v)] for k, v in weight.items() if "TF" in k]
    light = last["TF FFT"] < 0.2, last["TF solve"] < 0.2
    return falls, light, last["TF resize"] > 0.3


@judge("overhead-negligible-for-heavy-functions")
def light(last):
    return Quantity.held(share < 0.1 for share in last.values())


@judge("overhead-tensorflow-modules")
def tensorflow_modules(there, old, own_then=None):
    then = own_then and Quantity.share(sum(map(len, own_then)), 12)
    return then, Quantity.share(len(there) + len(old), 12)
