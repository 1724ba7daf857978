"""Data, models and their training under the TensorFlow of then.

Sources: Shin, The Flow of TensorFlow, slides 20 to 22 and 34 to 37; Monga,
TensorFlow Research at Scale.
"""

import tempfile

import numpy as np

from onthefly.experiments.then import talks
from onthefly.experiments.training import slides
from onthefly.kernels import perceptron

CHILD = "onthefly.experiments.then.trained_child"
NUMBERS = np.random.default_rng(2017).random(100, dtype="float32")
X = [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]


def asked(mode, *question, versions):
    """Return {version: answer} of trained_child, as talks.asked does."""
    return talks.asked(mode, *question, versions=versions, child=CHILD)


def listed(batches):
    """Return batches (x, y) as lists, which every NumPy can take."""
    return [(np.asarray(x).tolist(), np.asarray(y).tolist())
            for x, y in batches]  # fmt: skip


def pipelines(*versions):
    """Return {version: what becomes of slides 21 and 22}, in a graph.

    {"kinds": {kind of file: whether its numbers come back},
     function that decodes: [error or "", shape of an image]}.
    """
    return asked("graph", "pipelines", NUMBERS.tolist(), versions=versions)


def interfaces(version):
    """Return {interface: whether it gives the same eagerly and in a graph}.

    And that of the model, under "predict", which both execute.
    """
    weights = [w.tolist() for w in perceptron.start(1)]
    x, _ = perceptron.batches(40, seed=2)
    eager, graph = (
        asked(mode, "used", X, weights, x.tolist(), versions=[version])
        for mode in ("eager", "graph")
    )
    return {
        name: bool(np.allclose(eager[version][name], graph[version][name]))
        for name in eager[version]
    }


def line_errors(version, seeds):
    """Return how far learned lines are from the true ones, eagerly.

    The lines, their batches and the errors are those of `slides.errors`.
    """
    true = [np.random.default_rng(seed).uniform(-2, 2, 2) for seed in seeds]
    told = [
        listed(slides.get_next_batch(*line, seed))
        for line, seed in zip(true, seeds, strict=True)
    ]
    found = asked("eager", "lines_learned", told, versions=[version])
    return np.abs(np.subtract(found[version], true)).max(axis=1).tolist()


def adagrad(version, weights, batches):
    """Return losses and weights of a training as the talk begins it."""
    weights = [w.tolist() for w in weights]
    told = "adagrad", weights, listed(batches)
    return asked("eager", *told, versions=[version])[version]


def checkpoints(version, seed=0, steps=20):
    """Return what becomes of a training that changes its mode, both ways.

    {direction: {"variables": number, "differing": names of those that have
    other bits on the other side, "farthest": largest difference after so
    many more steps}}.
    """
    x, y = perceptron.batches(2 * steps, seed=seed)
    batches = listed(zip(x, y, strict=True))
    found = {}
    for one, other in (("eager", "graph"), ("graph", "eager")):
        with (
            talks.started(version, one, CHILD) as first,
            talks.started(version, other, CHILD) as second,
            tempfile.TemporaryDirectory() as folder,
        ):
            both = first, second
            for program, own in zip(both, (seed, seed + 1), strict=True):
                program.receive()
                weights = [w.tolist() for w in perceptron.start(own)]
                program.ask("begin", weights, perceptron.RATE)
            first.ask("train", batches[:steps])
            second.ask("restore", first.ask("save", f"{folder}/first"))
            saved, restored = first.ask("state"), second.ask("state")
            for program in both:
                program.ask("train", batches[steps:])
            found[f"{one} to {other}"] = {
                "variables": len(saved),
                "differing": sorted(
                    name
                    for name in saved.keys() | restored.keys()
                    if saved.get(name) != restored.get(name)
                ),
                "farthest": _farthest(
                    first.ask("state"), second.ask("state")
                ),
            }
    return found


def _farthest(some, others):
    """Return the largest difference of a number; {name: lists}."""
    return max(
        float(np.abs(np.subtract(values, others[name])).max())
        for name, values in some.items()
    )
