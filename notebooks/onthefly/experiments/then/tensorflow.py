"""The talk's π under TensorFlow 1.4 to 1.9 and today's, in one run.

Source: Okuda, TFUG Tokyo 2018, slides 8 to 18.
"""

from onthefly.experiments.then import programs
from onthefly.experiments.then.programs import TODAY
from onthefly.kernels import z_score
from onthefly.measure import clock

CHILD = f"{__package__}.tensorflow_child"
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
LEAST = 5  # turns of a loop in a sample at least: its start hardly counts
POINTS = 10**5  # that a first look takes, about


def then_and_now(sizes, budget, *, seed=0):
    """Return the Samples of a call of π, by "<form>, <version>".

    sizes   points of a call; the loop that Python turns has the least alone
    budget  seconds for all rounds
    seed    of the order within a round

    Raises ValueError for a form that does not estimate π.
    """
    forms = [(v, form) for v in programs.pythons() for form in FORMS[v]]
    with programs.started(CHILD, forms) as running:
        samplers, points = {}, {}
        for program, (version, form) in zip(running, forms, strict=True):
            name = f"{form}, {version}"
            points[name] = sizes if form != EAGER[1] else [min(sizes)]
            samplers[name] = _sampler(program, form, points[name])
        return clock.sample(
            samplers, sizes=points, budget=budget, seed=seed, first="unknown"
        )


def tries(size):
    """Return how many calls of a size make a first look."""
    return min(10, 1 + POINTS // size)


def _sampler(program, form, sizes):
    """Return a function of a size that takes the seconds of a call."""
    calls = {}
    for size in sizes:
        tried = tries(size)
        if z_score(program.ask("estimate", size, tried), tried * size) > 5:
            raise ValueError(f"{form}, {size} points: not π")
        once = program.ask("seconds", size, tried)
        least = LEAST if form.endswith("while_loop") else 1
        calls[size] = max(least, min(TURNS, 1 + int(SAMPLE / once)))
    return lambda size: program.ask("seconds", size, calls[size])
