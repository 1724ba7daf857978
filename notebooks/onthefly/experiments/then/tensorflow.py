"""The talk's π under TensorFlow 1.4 to 1.9 and today's, in one run.

Source: Okuda, TFUG Tokyo 2018, slides 8 to 18.
"""

import contextlib
import sys

from onthefly import clock
from onthefly.experiments.then import environments
from onthefly.kernels import z_score
from onthefly.tools.processes import Program

TODAY = "today"
EAGER = ("eager", "eager while_loop")
GRAPH = ("session", "while_loop")
# TensorFlow 1.4 had no eager execution yet, and one NumPy of then is enough.
FORMS = {
    "1.4": GRAPH,
    "1.5": EAGER + GRAPH,
    "1.6": EAGER + GRAPH,
    "1.9": ("NumPy", *EAGER, *GRAPH),
    TODAY: ("NumPy", *EAGER, *GRAPH),
}
SAMPLE = 0.01  # seconds that a sample lasts, about
TURNS = 1000  # calls in a sample at most: the talk's number
LEAST = 20  # turns of a loop in a sample at least: its start hardly counts


def pythons():
    """Return {version: path of its interpreter}, TODAY last."""
    return environments.made("tensorflow-") | {TODAY: sys.executable}


def started(version, form):
    """Return a Program of one form under one version."""
    program = Program(
        f"{__package__}.tensorflow_child",
        python=pythons()[version],
        environment={"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""},
    )
    program.ask("start", form)
    return program


def versions():
    """Return {version: {package: its version}} of the environments here."""
    found = {}
    for version in pythons():
        with started(version, "NumPy") as program:
            found[version] = program.ask("versions")
    return found


def then_and_now(sizes, budget, *, seed=0):
    """Return the Samples of a call of π, by "<form>, <version>".

    sizes   points of a call; the loop that Python turns has the least alone
    budget  seconds for all rounds
    seed    of the order within a round

    Raises ValueError for a form that does not estimate π.
    """
    with contextlib.ExitStack() as opened:
        samplers, points = {}, {}
        for version in pythons():
            for form in FORMS[version]:
                name = f"{form}, {version}"
                points[name] = sizes if form != EAGER[1] else [min(sizes)]
                program = opened.enter_context(started(version, form))
                samplers[name] = _sampler(program, form, points[name])
        return clock.sample(
            samplers, sizes=points, budget=budget, seed=seed, first="unknown"
        )


def _sampler(program, form, sizes):
    """Return a function of a size that takes the seconds of a call."""
    calls = {}
    for size in sizes:
        shots = 10 * size
        if z_score(program.ask("estimate", size, 10), shots) > 5:
            raise ValueError(f"{form}, {size} points: not π")
        once = program.ask("seconds", size, 10)
        least = LEAST if form.endswith("while_loop") else 1
        calls[size] = max(least, min(TURNS, 1 + int(SAMPLE / once)))
    return lambda size: program.ask("seconds", size, calls[size])
