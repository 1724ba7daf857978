"""What *Without Python* concludes."""

import math

from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table
from onthefly.page.missing import Missing
from onthefly.page.verdicts import unmeasured

LITE = "LiteRT", "LiteRT int8"
PHONE = 512e6 / 2**20  # MiB, of the slide's device


@judge("engine-frontends-and-devices")
def two_front_ends(equal):
    return Quantity.share(int(equal), 1)


@figure(x="most memory that the process has held, MiB")
def headline(memory):
    """The most memory that each process has held: {memory[SavedModel].about}
    by TensorFlow in Python, {memory[LiteRT].about} by LiteRT.
    """
    return memory


@answer("model-without-tensorflow")
def without_tensorflow(equal, known, memory):
    """Convert it for a smaller runtime, by `tf2onnx.convert` or
    `tf.lite.TFLiteConverter`: with a small network a process holds at most
    {memory[SavedModel].about} by TensorFlow in Python, {memory[ONNX].about}
    by ONNX Runtime and {memory[LiteRT].about} by LiteRT, Python itself
    included. Without Python, TensorFlow's C library runs the SavedModel as it
    is, with the same bits, in {memory[SavedModel in C].about}, called from
    whatever language.
    """
    others = [name for name in known if name != "SavedModel"]
    return (
        equal,
        [not known[name]["TensorFlow"] for name in others],
        memory["SavedModel"] > memory["SavedModel in C"],
        memory["SavedModel in C"] > memory["LiteRT"],
        memory["SavedModel"] > memory["ONNX"],
    )


@judge("lite-uses-flatbuffers")
def uses_flatbuffers(files):
    return Quantity.share(sum(map(bool, files.values())), len(files))


@table
def with_javascript(rows, lacks):
    """The ONNX file in JavaScript."""
    return rows or Missing(lacks)


def tried(rows, lacks, images):
    own = [row for row in rows if "recorded" not in row]
    if not own:
        return f"not tried, {lacks}" if rows else "not tried"
    return f"{own[0]['other classes']} of {len(images):,} changed class"


@expect
def fits_a_phone(memory):
    return [memory[name] < PHONE for name in LITE]


@judge("hand-held-and-privacy-trend")
def stays_small(memory, fits_a_phone):
    if not all(math.isfinite(memory[name].value) for name in LITE):
        return unmeasured("this system does not tell a process' memory")
    return Quantity.held(fits_a_phone)


@expect
def less_with_less(memory, equal):
    in_c = memory["SavedModel in C"]
    return memory["SavedModel"] > in_c, in_c > memory["LiteRT"], equal
