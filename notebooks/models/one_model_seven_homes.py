"""What *How do you run a trained model without TensorFlow?* concludes."""

import math

from onthefly.experiments.history import releases
from onthefly.experiments.tensorflow import runtimes
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table
from onthefly.page.verdicts import unmeasured

LITE = "LiteRT", "LiteRT int8"
PHONE = 512e6 / 2**20  # MiB, of the slide's device


@figure(size=1)
def headline(times):
    """One image in a call, by each runtime."""
    return times


@table
def in_each_home(facts):
    """One model in its runtimes."""
    rows = runtimes.rows(facts["homes"])
    return [{"runtime": row.pop("home")} | row for row in rows]


def kept(facts):
    """Return the facts of the runtimes with 32-bit numbers."""
    names = *runtimes.FLOAT, "torch.export"
    return {k: facts["homes"][k] for k in names if k in facts["homes"]}


@expect
def unchanged(kept):
    return [not one["others"] for one in kept.values()]


@expect
def same_bits(kept):
    saved = [k for k in kept if runtimes.FILES[k][0] == "served/1"]
    return [kept[name]["gap"] == 0 for name in saved]


def error(errors, kept):
    return {
        "eager": Quantity.exact(errors["eager"]),
        "worst": Quantity.exact(max(errors[name] for name in kept)),
    }


@figure(x="largest error of a score, against 64 bits", log=True)
def errors_figure(errors, kept):
    """How far the scores are from those with 64 bits."""
    return {name: Quantity.exact(errors[name]) for name in ("eager", *kept)}


def gain(times):
    return {n: times.ratio("SavedModel", "LiteRT", n) for n in (1, 100)}


def memory(facts):
    """Return the peak memory of each process."""
    return {
        name: Quantity.exact((one["memory"] or math.nan) / 2**20, "MiB")
        for name, one in facts["homes"].items()
    }


@expect
def smaller_and_faster(gain, memory, facts):
    """Of import and load the seconds count, in processor time."""
    quick = [facts["homes"][name] for name in ("LiteRT", "ONNX")]
    return (
        gain[1] > 1,
        memory["SavedModel"] > memory["LiteRT"],
        [one["import"] + one["load"] < 0.1 for one in quick],
    )


@expect
def less_with_less(memory):
    in_c = memory["SavedModel in C"]
    return memory["SavedModel"] > in_c, in_c > memory["LiteRT"]


@expect
def fits_a_phone(memory):
    return [memory[name] < PHONE for name in LITE]


@answer("model-without-tensorflow")
def without_tensorflow(facts, memory, same_bits, less_with_less):
    """Convert it for a smaller runtime, by `tf2onnx.convert` or
    `tf.lite.TFLiteConverter`: with a small network, a process holds
    {memory[SavedModel].about} by TensorFlow in Python and
    {memory[LiteRT].about} by LiteRT. Without Python, TensorFlow's C library
    runs the SavedModel as it is, with the same bits, called from any
    language.
    """
    others = [one for k, one in facts["homes"].items() if k != "SavedModel"]
    return (
        same_bits,
        [not one["TensorFlow"] for one in others],
        less_with_less,
        memory["SavedModel"] > memory["ONNX"],
    )


def asked(switch):
    return sum(count for _, count in switch["versions"])


def gone(switch):
    return sum(count for version, count in switch["versions"] if not version)


@expect
def none_lost(switch, gone):
    order = [version for version, _ in switch["versions"] if version]
    return gone == 0, order == sorted(order)


def lossless(kept, errors):
    """Return of each runtime whether classes and scores are as good as
    eager's.
    """
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


@judge("engine-frontends-and-devices")
def two_front_ends(kept):
    both = "SavedModel", "SavedModel in C"
    return Quantity.share(int(not any(kept[k]["gap"] for k in both)), 1)


@judge("lite-uses-flatbuffers")
def uses_flatbuffers(files):
    return Quantity.share(sum(map(bool, files.values())), len(files))


@judge("hand-held-and-privacy-trend")
def stays_small(memory, fits_a_phone):
    if not all(math.isfinite(memory[name].value) for name in LITE):
        return unmeasured("this system does not report a process' memory")
    return Quantity.held(fits_a_phone)


@judge("serving-components")
def components():
    return unmeasured(
        "needs TensorFlow Serving's server, which is not in Python's package "
        "index"
    )


@judge("features-instead-of-raw-data")
def features_cut_traffic(image_bytes):
    image = image_bytes["image, compressed"]
    ways = "features", "label"
    return Quantity.share(sum(image_bytes[way] < image for way in ways), 2)


@judge("train-and-serve-splits")
def training_is_heavier(roles):
    heavier = roles["training"]["image"] > roles["serving"]
    return Quantity.share(int(heavier), 1)
