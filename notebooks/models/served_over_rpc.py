"""What *Served over RPC* concludes."""

from onthefly.experiments.tensorflow.runtimes import mebibytes
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table
from onthefly.page.verdicts import unmeasured


def asked(switch):
    return sum(count for _, count in switch["versions"])


def gone(switch):
    return sum(count for version, count in switch["versions"] if not version)


def longest(switch):
    return Quantity.exact(switch["longest"], "s")


@expect
def none_lost(switch, gone):
    order = [version for version, _ in switch["versions"] if version]
    return gone == 0, order == sorted(order)


@expect
def three_parts(same, both, none_lost, refused, asked):
    return (
        same,
        both["versions"] == [1, 2],
        both["first"] and both["second"] and both["newest"],
        none_lost,
        refused == "NOT_FOUND",
        asked > 0,
    )


@judge("serving-components")
def components():
    return unmeasured(
        "needs TensorFlow Serving's server, which is not in Python's package "
        "index"
    )


@figure(x="images in a call")
def headline(times):
    return times


def price(times):
    ways = "over RPC", "in the process"
    return {n: times.ratio(*ways, n) for n in (1, 1000)}


def fewer(sizes):
    image = sizes["image, compressed"]
    ways = "features", "label"
    return {way: Quantity.exact(image / sizes[way], "×") for way in ways}


@judge("features-instead-of-raw-data")
def features_cut_traffic(fewer):
    return Quantity.share(sum(q.value > 1 for q in fewer.values()), 2)


def heavier(learnt, served_in):
    return Quantity.exact(learnt / served_in, "×")


def memory(training, roles):
    return {"training": training["memory"]} | roles["memory"]


@table
def who_trains(learnt, served_in, memory):
    """Training and serving the same network."""
    seconds = {"training": learnt, "LiteRT": served_in}
    took = {k: Quantity.exact(t, "s").short for k, t in seconds.items()}
    heads = "", "processor time an image", "peak memory"
    rows = [(k, took.get(k), mebibytes(n)) for k, n in memory.items()]
    return [dict(zip(heads, row, strict=True)) for row in rows]


@judge("train-and-serve-splits")
def training_is_heavier(heavier):
    return Quantity.share(int(heavier.value > 1), 1)


def library(training):
    """Return which share of the peak was there before the first step."""
    before, peak = training["before"], training["memory"]
    return Quantity.exact((before or 0) / (peak or 1), "%")


@expect
def split_holds(heavier, memory, library):
    known = all(memory.values())
    more = known and Quantity.exact(memory["training"] / memory["LiteRT"]) > 1
    return (
        heavier > 1,
        more if known else None,
        library > 0.5 if known else None,
    )
