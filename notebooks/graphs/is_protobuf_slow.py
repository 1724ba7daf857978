"""What *Is protobuf slow?* concludes."""

from onthefly.measure.quantity import Quantity
from onthefly.page import answer, figure, judge
from onthefly.page.verdicts import unmeasured


def weight(forms, plan):
    return {
        name: Quantity.exact(len(data) / len(plan.node))
        for name, data in forms.items()
    }


@figure(x="bytes a node")
def sizes_figure(weight):
    return weight


def gain(trips, end):
    return {k: trips.ratio(k, "protobuf", end) for k in ("JSON", "pickle")}


@figure
def reading_figure(reading):
    return reading


def parse_gain(reading):
    return reading.ratio("JSON", "protobuf")


def read_gain(reading):
    return reading.ratio("JSON, read", "protobuf, read")


def access(reading):
    return reading.ratio("protobuf, read", "protobuf")


@judge("protobuf-slowness-question")
def slowness():
    return unmeasured("needs the follow-up's result")


def pure_upb(engines):
    return engines.ratio("Python", "upb")


def then_json(engines):
    return engines.ratio("Python", "JSON")


def build_parse(stages, counts):
    return stages.ratio("build", "parse", counts[-1])


def build_write(stages, counts):
    return stages.ratio("build", "write fields", counts[-1])


def bytes_take(stages):
    took = {k: stages.seconds(k, 100) for k in stages.names}
    in_bytes = took["serialise"] + took["parse"]
    return (in_bytes / (in_bytes + took["build"] + took["import"])).named("%")


@answer("is-protobuf-slow")
def is_it_slow(bytes_take, read_gain, parse_gain):
    """Of the time to build a graph of 100 nodes, write it as bytes, parse and
    import it, writing and parsing take {bytes_take.about}; the rest is
    TensorFlow's own. Slow is to read a message from Python field by field:
    parsed and read so, protobuf is {read_gain.as_speed} JSON, and parsed
    alone {parse_gain.as_speed} it, so hand a message on whole.
    """
    return bytes_take < 0.5, read_gain < parse_gain
