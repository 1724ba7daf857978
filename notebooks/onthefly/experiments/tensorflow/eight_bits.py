"""What becomes of a model's answers when its numbers have fewer bits."""

from onthefly.experiments.tensorflow import flat, runtimes
from onthefly.quantity import Quantity

KINDS = ("float32", "float16", "weights", "int8", "int16x8")


def converted(model, examples):
    """Return {kind: path} of a model in all number formats.

    model     a runtimes.Model
    examples  images that stand for those to come
    """
    given = {"int8": examples, "int16x8": examples}
    return {k: model.lite(k, given.get(k)) for k in KINDS}


def answers(files, images):
    """Return {name: scores} of files of LiteRT, each run on the images."""
    home = runtimes.Runtime("LiteRT")
    try:
        return {
            k: home.open(file).scores(images) for k, file in files.items()
        }
    finally:
        home.close()


def share_of_others(scores, eager):
    """Return the share of images in which another class is highest."""
    return Quantity.share(runtimes.others(scores, eager), len(eager))


def accuracy_lost(scores, eager, labels):
    """Return how much of the accuracy is lost, a share.

    Both answer the same images, so that those alone count which one of the
    two gets right.
    """
    right, was = scores.argmax(1) == labels, eager.argmax(1) == labels
    lost, gained = int((was & ~right).sum()), int((right & ~was).sum())
    count = len(labels)
    return Quantity.share(lost, count) - Quantity.share(gained, count)


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
        k: tuple(t["scale"] * (whole - t["zero"]) for whole in (-128, 127))
        for k, t in ends.items()
    }
