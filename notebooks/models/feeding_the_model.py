"""What *Feeding the model* concludes."""

import numpy as np

from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table

SUCCESSORS = {
    "read_file": "tf.io.read_file",
    "image.resize_images": "tf.image.resize",
    "data.make_one_shot_iterator": "Python's for",
    "python_io.TFRecordWriter": "tf.io.TFRecordWriter",
    "decode_raw": "tf.io.decode_raw",
}


@table
def kinds(same, bytes_of, count):
    """Three kinds of file."""
    bits = {name: "yes" if held else "no" for name, held in same.items()}
    heads = "kind", "bytes a number", "same bits"
    rows = [(k, f"{bytes_of[k] / count:.3g}", v) for k, v in bits.items()]
    return [dict(zip(heads, row, strict=True)) for row in rows]


@expect
def same_then(of_then, said):
    return [
        (
            by["decode_image"] == [said, None],
            by["decode_jpeg"] == ["", [28, 28, 3]],
        )
        for by in of_then.values()
    ]


def share_then(of_then):
    read = [*of_then["1.4"]["kinds"].values()]
    held = [*read, all(read), not of_then["1.4"]["decode_image"][0]]
    return Quantity.share_of(held)


@judge("dataset-pipeline-example")
def pipeline_example(same, then, numbers, said, share_then=None):
    held = [*same.values(), np.array_equal(then, numbers), not said]
    return share_then, Quantity.share_of(held)


def slower(small):
    return {name: small.ratio(name, "Python loop") for name in small.names}


@figure
def headline(fed):
    return fed


def gain(fed):
    return {name: fed.ratio("Python loop", name) for name in fed.names}


@table
def successors(names):
    """Names of 2017."""
    return names.rows(SUCCESSORS)
