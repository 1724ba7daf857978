"""Data, models and their training under the TensorFlow of then.

Sources: Shin, The Flow of TensorFlow, slides 20 to 22 and 34 to 37; Monga,
TensorFlow Research at Scale.
"""

import tempfile

import numpy as np

from onthefly.experiments.then import programs, talks
from onthefly.experiments.training import slides
from onthefly.kernels import perceptron

CHILD = f"{__package__}.trained_child"
NUMBERS = np.random.default_rng(2017).random(100, dtype="float32")
X = [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]


def asked(pairs, *question):
    """Return [answer] of trained_child, as talks.asked does."""
    return talks.asked(pairs, *question, child=CHILD)


def listed(batches):
    """Return batches (x, y) as lists, which every NumPy can take."""
    return [(np.asarray(x).tolist(), np.asarray(y).tolist())
            for x, y in batches]  # fmt: skip


def pipelines(*versions):
    """Return {version: what becomes of slides 21 and 22}, in a graph.

    {"kinds": {kind of file: whether its numbers come back},
     function that decodes: [error or "", shape of an image]}.
    """
    pairs = [(version, "graph") for version in versions]
    found = asked(pairs, "pipelines", NUMBERS.tolist())
    return dict(zip(versions, found, strict=True))


def interfaces(version):
    """Return {interface: whether it gives the same eagerly and in a graph}.

    And that of the model, under "predict", which both execute.
    """
    weights = [w.tolist() for w in perceptron.start(1)]
    x, _ = perceptron.batches(40, seed=2)
    pairs = [(version, mode) for mode in ("eager", "graph")]
    eager, graph = asked(pairs, "used", X, weights, x.tolist())
    return {
        name: bool(np.allclose(eager[name], graph[name])) for name in eager
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
    (found,) = asked([(version, "eager")], "lines_learned", told)
    return np.abs(np.subtract(found, true)).max(axis=1).tolist()


def adagrad(version, weights, batches):
    """Return losses and weights of a training as the talk begins it."""
    weights = [w.tolist() for w in weights]
    told = "adagrad", weights, listed(batches)
    (found,) = asked([(version, "eager")], *told)
    return found


def checkpoints(version, seed=0, steps=20):
    """Return what becomes of a training that changes its mode, both ways.

    {direction: {"variables": number, "differing": names of those that have
    other bits on the other side, "farthest": largest difference after so
    many more steps}}.
    """
    x, y = perceptron.batches(2 * steps, seed=seed)
    batches = listed(zip(x, y, strict=True))
    ways = [("eager", "graph"), ("graph", "eager")]
    pairs = [(version, mode) for way in ways for mode in way]
    with (
        programs.started(CHILD, pairs) as running,
        tempfile.TemporaryDirectory() as folder,
    ):
        return {
            " to ".join(way): _carried_on(both, batches, seed, folder)
            for way, both in zip(
                ways, (running[:2], running[2:]), strict=True
            )
        }


def _carried_on(both, batches, seed, folder):
    """Return what `checkpoints` tells of one direction.

    both  the processes, the one that saves first
    """
    first, second = both
    half = len(batches) // 2
    for program, own in zip(both, (seed, seed + 1), strict=True):
        weights = [w.tolist() for w in perceptron.start(own)]
        program.ask("begin", weights, perceptron.RATE)
    first.ask("train", batches[:half])
    second.ask("restore", first.ask("save", f"{folder}/first"))
    saved, restored = first.ask("state"), second.ask("state")
    for program in both:
        program.ask("train", batches[half:])
    return {
        "variables": len(saved),
        "differing": sorted(
            name
            for name in saved.keys() | restored.keys()
            if saved.get(name) != restored.get(name)
        ),
        "farthest": _farthest(first.ask("state"), second.ask("state")),
    }


def _farthest(some, others):
    """Return the largest difference of a number; {name: lists}."""
    return max(
        float(np.abs(np.subtract(values, others[name])).max())
        for name, values in some.items()
    )
