"""What becomes of a model's answers when its numbers have fewer bits."""

import numpy as np

from onthefly.experiments.tensorflow import flat, runtimes
from onthefly.measure.quantity import Quantity

KINDS = ("float32", "float16", "weights", "int8", "int16x8")


def converted(model, examples):
    """Return {kind: path} of a model in all number formats.

    model     a runtimes.Model
    examples  images that stand for those to come
    """
    given = {"int8": examples, "int16x8": examples}
    return {k: model.lite(k, given.get(k)) for k in KINDS}


def answers(files, images):
    """Return the scores that files of LiteRT give, each run on the images."""
    home = runtimes.Runtime("LiteRT")
    try:
        return [home.open(file).scores(images) for file in files]
    finally:
        home.close()


def compared(model, files, images, labels):
    """Return {name: how a file's answers differ from its model's}.

    files  {name: path} of files of LiteRT

    {"images": how many, "others": of how many another class is highest,
    "lost", "gained": of how many the file alone, or the model alone, gets
    the class wrong, "gap": largest difference of a score, "finite"}.
    """
    eager = model.scores(images)
    was = eager.argmax(1) == labels
    scores = answers(files.values(), images)
    return {
        name: _compared(each, eager, each.argmax(1) == labels, was)
        for name, each in zip(files, scores, strict=True)
    }


def _compared(scores, eager, right, was):
    return {
        "images": len(eager),
        "others": runtimes.others(scores, eager),
        "lost": int((was & ~right).sum()),
        "gained": int((right & ~was).sum()),
        "gap": runtimes.gap(scores, eager),
        "finite": bool(np.isfinite(scores).all()),
    }


def share_of_others(one):
    """Return the share of images in which another class is highest.

    one  of the values of `compared`
    """
    return Quantity.share(one["others"], one["images"])


def accuracy_lost(one):
    """Return how much of the accuracy is lost, a share.

    one  of the values of `compared`

    Both answer the same images, so that those alone count which one of the
    two gets right.
    """
    lost, gained = (
        Quantity.share(one[k], one["images"]) for k in ("lost", "gained")
    )
    return lost - gained


def margins(scores):
    """Return how far each image's best score is above its second."""
    best = scores.copy()
    best.sort(axis=1)
    return best[:, -1] - best[:, -2]


def ranges(file):
    """Return {"input", "scores"}: (lowest, highest) that an int8 file holds.

    The integers from -128 to 127 stand for scale · (integer - zero).
    """
    steps = [
        t
        for t in flat.tensors(file.read_bytes())
        if t["type"] == "INT8" and t["scale"]
    ]
    ends = {"input": steps[0], "scores": steps[-1]}
    return {
        k: tuple(
            float(t["scale"] * (whole - t["zero"])) for whole in (-128, 127)
        )
        for k, t in ends.items()
    }
