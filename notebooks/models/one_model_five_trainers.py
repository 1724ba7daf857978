"""What *One model, five trainers* concludes."""

import numpy as np

from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table

SUCCESSORS = {
    "contrib.eager": "tf, which is eager from the start",
    "contrib.eager.implicit_gradients": "tf.GradientTape",
    "layers.Dense": "tf.keras.layers.Dense",
    "train.Optimizer": "tf.keras.optimizers.Optimizer",
    "train.GradientDescentOptimizer": "tf.keras.optimizers.SGD",
    "train.AdagradOptimizer": "tf.keras.optimizers.Adagrad",
    "placeholder": "an argument of a tf.function",
    "Session": "tf.function",
}


@table
def learned(distances):
    """Largest difference of a weight after 100 steps."""
    return [
        {"trainer": name, "farthest from NumPy": f"{distance:.1e}"}
        for name, distance in distances.items()
    ]


def step(times, steps):
    return times.scaled(1 / steps)


@figure(size=32, x="time of a step")
def headline(step):
    return step


@table
def rates(step, few, many):
    """Steps a second."""
    return [
        {"trainer": name}
        | {
            f"steps a second, {rows:,} rows": (
                1 / step.seconds(name, rows)
            ).named("")
            for rows in (few, many)
        }
        for name in step.names
    ]


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


@expect
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


@expect
def successor(losses, between, tolerance):
    return _falls(losses["now"]), between < tolerance


@table
def successors(names):
    """Names of 2017."""
    return names.rows(SUCCESSORS)
