"""What crosses a wire: the bytes of one image, the answers to requests."""

import itertools
import zlib

import numpy as np


def forms(image, features):
    """Return {what is sent: its bytes} for one image.

    image     float32 of shape (16, 16, 1), in steps of 1/255
    features  float32 that the network makes of it

    What PNG would write is compressed by the same method, and some bytes
    more.
    """
    levels = np.round(255 * image).astype(np.uint8)
    return {
        "image, 32-bit numbers": image.astype("<f4").tobytes(),
        "image, a byte a pixel": levels.tobytes(),
        "image, compressed": zlib.compress(levels.tobytes(), 9),
        "features": features.astype("<f4").tobytes(),
        "label": bytes([0]),
    }


def middle_sizes(images, features):
    """Return {what is sent: median bytes} over many images."""
    rows = [forms(*pair) for pair in zip(images, features, strict=True)]
    return {
        what: int(np.median([len(row[what]) for row in rows]))
        for what in rows[0]
    }


def summary(seen):
    """Return what came of requests.

    seen  [(version, seconds)], as of `predictor_child.keep_asking`

    {"versions": [[version, how many requests in a row it answered]], with
    None for no answer, "longest": the slowest one's seconds}.
    """
    groups = itertools.groupby(version for version, _ in seen)
    return {
        "versions": [[version, len([*group])] for version, group in groups],
        "longest": max(seconds for _, seconds in seen),
    }
