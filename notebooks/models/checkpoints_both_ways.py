"""What *Checkpoints, both ways* concludes."""

from onthefly.measure.quantity import Quantity
from onthefly.page import expect, judge, table

SUCCESSORS = {
    "contrib.eager.Saver": "tf.train.Checkpoint",
    "train.Saver": "tf.train.Checkpoint",
    "train.NewCheckpointReader": "tf.train.load_checkpoint",
    "train.latest_checkpoint": "tf.train.latest_checkpoint",
}


@expect
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
    """Names of 2017."""
    return names.rows(SUCCESSORS)
