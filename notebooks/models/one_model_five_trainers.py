"""What *Which TensorFlow training loop is fastest, …* concludes."""

import numpy as np

from onthefly.experiments.training import keras_code
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table

SUCCESSORS = {
    "contrib.eager": "tf, which is eager by default",
    "contrib.eager.implicit_gradients": "tf.GradientTape",
    "contrib.eager.Saver": "tf.train.Checkpoint",
    "layers.Dense": "tf.keras.layers.Dense",
    "train.GradientDescentOptimizer": "tf.keras.optimizers.SGD",
    "train.AdagradOptimizer": "tf.keras.optimizers.Adagrad",
    "train.Saver": "tf.train.Checkpoint",
    "train.NewCheckpointReader": "tf.train.load_checkpoint",
    "placeholder": "an argument of a tf.function",
    "Session": "tf.function",
}


@figure(size=32, x="time of a step")
def steps_figure(times, steps):
    return times.scaled(1 / steps)


def gain(times, few, many):
    return {n: times.ratio("eager", "tf.function", n) for n in (few, many)}


def hand(times, few):
    return times.ratio("tf.function", "NumPy by hand", few)


def old(times, few):
    return times.ratio("tf.function", "Session", few)


@expect
def by_hand(times, few):
    others = [name for name in times.names if name != "NumPy by hand"]
    return [times.ratio(name, "NumPy by hand", few) > 1 for name in others]


def looped(loops, few):
    return loops.ratio("a call a step", "one call", few)


def learned_then(errors_then):
    return [error < 0.05 for error in errors_then]


@judge("eager-linear-model-training")
def line_is_learned(errors, learned_then=None):
    today = Quantity.share_of([error < 0.05 for error in errors])
    return learned_then and Quantity.share_of(learned_then), today


def _falls(losses):
    return bool(np.mean(losses[-10:]) < np.mean(losses[:10]))


@judge("train-eager-adagrad")
def trains_by_adagrad(losses, adagrad_then=None):
    then = adagrad_then and Quantity.share_of([_falls(adagrad_then[0])])
    return then, Quantity.share_of([_falls(losses["then"])])


def _counted(pieces):
    """Return how many pieces run under keras., and of these do the same."""
    ran = [bool(same) for one, _, same in pieces.values() if one == "runs"]
    share = Quantity.share_of(ran)
    return {"ran": len(ran), "alike": sum(ran), "share": share}


def today(outcomes):
    return _counted(outcomes)


def then(of_2017):
    return _counted(of_2017["pieces"])


@judge("keras-code-runs-on-tf-keras")
def most_code_runs(today, then=None):
    return then and then["share"], today["share"]


@expect
def most_then(then, of_2017):
    most = then["ran"] / 2 < then["alike"] < then["ran"]
    return most, not of_2017["shared"]


@expect
def embedding_differs(of_2017):
    _, other, same = of_2017["pieces"]["embedding and LSTM"]
    return other == "runs", not same


@table
def backends(outcomes, by_backend):
    """Pure and mixed Keras code on two backends."""
    heads = "code", "on TensorFlow", "on PyTorch"
    rows = [(k, outcomes[k][0], words) for k, words in by_backend.items()]
    return [dict(zip(heads, row, strict=True)) for row in rows]


def mixed(outcomes, by_backend):
    ran = [k for k in keras_code.MIXED if outcomes[k][0] == "runs"]
    broken = sum(by_backend[name] != "runs" for name in ran)
    return {"pieces": len(ran), "broken": broken}


def kept_then(of_then, tolerance):
    return [
        held
        for way in of_then.values()
        for held in (not way["differing"], way["farthest"] < tolerance)
    ]


def kept_today(into_graph, into_eager, drift, back_drift, tolerance):
    goes_on = [one["farthest"] < tolerance for one in (drift, back_drift)]
    return [not into_graph, not into_eager, *goes_on]


@judge("checkpoints-compatible")
def compatible(kept_today, kept_then=()):
    then, today = (
        Quantity.share_of(kept) if kept else None
        for kept in (kept_then, kept_today)
    )
    return then, today


@table
def successors(names):
    """Names that the talks print, and where they are today."""
    return names.rows(SUCCESSORS)
