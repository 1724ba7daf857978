"""When the toolkits of 2017 were first and last released.

From book/history/releases.json, which scripts/releases.py writes.
"""

import dataclasses
import datetime

from onthefly import files
from onthefly.page import checkout

RECORDED = checkout.ROOT / "book" / "history" / "releases.json"
QUIET = 2  # years without a release after which a toolkit counts as retired

# The toolkits of Shin's talk (slides 11, 38, 49 and 57): {name: package}.
PACKAGES = {
    "TensorFlow": "tensorflow",
    "TFLearn": "tflearn",
    "TF-Slim": "tf-slim",
    "Keras": "keras",
    "Keras on MXNet": "keras-mxnet",
    "PyTorch": "torch",
    "CNTK": "cntk",
    "MXNet": "mxnet",
    "Theano": "theano",
    "Chainer": "chainer",
    "PaddlePaddle": "paddlepaddle",
    "ONNX": "onnx",
    "Core ML": "coremltools",
}

# What became part of TensorFlow in 2017: {what: its place in a wheel}.
PARTS = {
    "Keras, contributed": "contrib/keras",
    "Keras, in the core": "python/keras",
    "Datasets, contributed": "contrib/data",
    "Datasets, in the core": "python/data",
    "Estimators, in the core": "python/estimator",
    "Eager, contributed": "contrib/eager",
    "Lite, contributed": "contrib/lite",
}
WHEELS = ("1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0")


@dataclasses.dataclass(frozen=True)
class Releases:
    """The releases of one package, as the index had them.

    then   the newest version on the talk's day, or None
    now    the newest version on the day of the look
    first  the day of its first release, a date
    last   the day of its latest release, a date
    """

    then: str | None
    now: str
    first: datetime.date
    last: datetime.date

    def retired(self, day):
        """Tell whether its last release is more than QUIET years ago."""
        return (day - self.last).days > QUIET * 365.25


def read():
    """Return (day of the look, {name of a toolkit: Releases})."""
    data = files.json_data(RECORDED)
    date = datetime.date.fromisoformat
    releases = {
        name: Releases(
            one["then"], one["now"], date(one["first"]), date(one["last"])
        )
        for name, one in data["releases"].items()
    }
    return date(data["looked"]), releases


def parts():
    """Return {part: the first of the wheels that holds it}."""
    held = files.json_data(RECORDED)["wheels"]
    return {
        part: next((v for v in WHEELS if part in held[v]), "none of them")
        for part in PARTS
    }


def part_rows():
    """Return a table's rows: a part, and the first wheel that holds it."""
    return [{"part": p, "first wheel": v} for p, v in parts().items()]


def rows(names=None):
    """Return a table's rows: toolkit, then, now, first, last, state.

    names  of toolkits; by default all that were looked up
    """
    day, releases = read()
    return [
        {
            "toolkit": name,
            "on the talk's day": one.then or "none",
            "newest": one.now,
            "first release": f"{one.first:%Y-%m}",
            "last release": f"{one.last:%Y-%m}",
            "state": "retired" if one.retired(day) else "alive",
        }
        for name, one in releases.items()
        if names is None or name in names
    ]
