"""What *One model, seven homes* concludes."""

import numpy as np

from onthefly.experiments.history import releases
from onthefly.experiments.tensorflow import runtimes
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table


@table
def in_each_home(facts):
    """One model and its homes."""
    return runtimes.rows(facts["homes"])


def kept(facts):
    """Return the facts of the homes that keep 32-bit numbers."""
    names = *runtimes.FLOAT, "torch.export"
    return {k: facts["homes"][k] for k in names if k in facts["homes"]}


@expect
def unchanged(kept):
    return [not one["others"] for one in kept.values()]


@expect
def same_bits(kept):
    saved = [k for k in kept if runtimes.FILES[k][0] == "served/1"]
    return [kept[name]["gap"] == 0 for name in saved]


def farthest(kept):
    return Quantity.exact(max(one["gap"] for one in kept.values()))


def error(errors, kept, facts):
    spacing = np.spacing(np.float32(facts["largest"]))
    return {
        "eager": Quantity.exact(errors["eager"]),
        "worst": Quantity.exact(max(errors[name] for name in kept)),
        "spacing": Quantity.exact(spacing),
    }


@figure(x="largest error of a score, against 64 bits", log=True)
def errors_figure(errors, kept):
    """How far the scores are from those with 64 bits."""
    return {name: Quantity.exact(errors[name]) for name in ("eager", *kept)}


def lossless(kept, errors):
    """Return of each home whether classes and scores are as good as eager."""
    most = 2 * errors["eager"]
    floats = [name for name in runtimes.FLOAT if name in kept]
    return {k: not kept[k]["others"] and errors[k] <= most for k in floats}


@judge("graphs-are-deployable")
def deployable(lossless):
    return Quantity.share_of(lossless.values())


def first_release():
    _, released = releases.read()
    return {k: f"{released[k].first:%B %Y}" for k in ("ONNX", "Core ML")}


@judge("convertible-formats")
def convertible(first_release, lossless):
    """On the package index are ONNX since {first_release[ONNX]}, and the
    tools that make MLMODEL since {first_release[Core ML]}.
    """
    onnx = first_release["ONNX"] == "September 2017"
    apple = first_release["Core ML"] == "August 2017"
    return Quantity.share(onnx + apple + lossless["ONNX"], 3)


@figure(size=1)
def headline(times):
    return times


def gain(times):
    return {n: times.ratio("SavedModel", "LiteRT", n) for n in (1, 100)}
