"""What *Where does a second core help TensorFlow training?* concludes."""

import numpy as np

from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table

SUCCESSORS = {
    "image.resize_images": "tf.image.resize",
    "data.make_one_shot_iterator": "Python's for",
    "python_io.TFRecordWriter": "tf.io.TFRecordWriter",
    "train.StopAtStepHook": "Python's for",
    "train.MonitoredTrainingSession": "tf.distribute.Strategy",
    "train.Server": "tf.distribute.Server",
    "tpu.CrossShardOptimizer": "tf.distribute.TPUStrategy",
    "estimator.EstimatorSpec": "tf.keras.Model",
}


def share_then(of_then):
    read = [*of_then["1.4"]["kinds"].values()]
    held = [*read, all(read), not of_then["1.4"]["decode_image"][0]]
    return Quantity.share_of(held)


@judge("dataset-pipeline-example")
def pipeline_example(same, then, numbers, said, share_then=None):
    held = [*same.values(), np.array_equal(then, numbers), not said]
    return share_then, Quantity.share_of(held)


@figure(x="time of 48 images")
def fed_figure(fed):
    return fed


def gain(fed):
    return {name: fed.ratio("Python loop", name) for name in fed.names}


@expect
def map_is_parallel(fed):
    plain, parallel = "map", "parallel map, prefetch"
    return (
        fed.ratio("map, as written", plain) > 1,
        fed.ratio(plain, parallel) < 1.2,
    )


@figure(x="time of 1,000 lines")
def lines_figure(small):
    return small


def slower(small):
    return {name: small.ratio(name, "Python loop") for name in small.names}


def batch_first(small):
    return small.ratio("map, batch", "batch, map")


def _as_specified(stops, far, steps, tolerance):
    """Return the share of: the hook stops, and the weights are the same."""
    stopped = all(at == steps for at in stops)
    return Quantity.share_of([stopped, *(each < tolerance for each in far)])


def spec_then(ends_then, steps, tolerance):
    stops, far = zip(*ends_then.values(), strict=True)
    return _as_specified(stops, far, steps, tolerance)


@judge("train-distributed-same-spec")
def same_spec(stopped, there, far, steps, tolerance, spec_then=None):
    today = _as_specified([stopped, there], far, steps, tolerance)
    return spec_then, today


@figure(x="rows in a batch", y="time of a step")
def workers_figure(times):
    return times


def price(times, few, many):
    ways = "two processes", "one process"
    return {n: times.ratio(*ways, n) for n in (few, many)}


def pair_of_devices(times, few, many):
    ways = "two devices", "one process"
    return {n: times.ratio(*ways, n) for n in (few, many)}


@expect
def devices_agree_faster(price, pair_of_devices, few, many):
    small, large = pair_of_devices[few], pair_of_devices[many]
    return price[few] > small, small > 1, not large > 1, not large < 1


def extra(times, few, many):
    """Return by how much a step of two processes is longer."""
    return {
        n: times.seconds("two processes", n) - times.seconds("one process", n)
        for n in (few, many)
    }


def cells(twice, place, total, on_two, tolerance):
    """Return of three cells of the table whether they are as printed."""
    no_cluster = "job:worker" not in place or total != 3
    return [twice == 42, no_cluster, not on_two < tolerance]


@expect
def only_interactive(cells):
    return cells == [True, False, False]


def all_lacked(lacked):
    refused = lacked["operation on a server"], lacked["monitored session"]
    return [lacked["interactive"] == 42, all(refused), bool(lacked["towers"])]


@judge("eager-lacks-multi-gpu-and-cluster")
def eager_lacks(cells, all_lacked=None):
    return all_lacked and Quantity.share_of(all_lacked), Quantity.share_of(
        cells
    )


@table
def successors(names):
    """Names that the talks print, and where they are today."""
    return names.rows(SUCCESSORS)
