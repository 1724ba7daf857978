"""Listings of the talks under the TensorFlow that they ran, in one run.

Sources: Okuda, TFUG Tokyo 2018, slide 24; PyCon JP 2018, slides 30 and 32.
"""

from onthefly.experiments.overheads import tensorflow_modules as slide
from onthefly.experiments.then import programs
from onthefly.experiments.then.programs import TODAY
from onthefly.experiments.then.tensorflow import SAMPLE, TURNS, tries
from onthefly.kernels import z_score
from onthefly.measure import clock, models

CHILD = f"{__package__}.listings_child"
FORMS = {
    "1.6": ("NumPy, list of ones", "eager, fed"),
    "1.9": ("NumPy", "eager", "eager, 1 thread", "graph", "graph, 1 thread"),
}
FORMS[TODAY] = tuple(form for forms in FORMS.values() for form in forms)


def modules(version):
    """Return which of slide 32's modules TensorFlow has, and its contrib."""
    with programs.program(CHILD, version) as program:
        return program.ask("modules", slide.MODULES, slide.CONTRIB)


def estimates(version, size):
    """Return {form: π by a call}, of slides 52 and 53 under one version."""
    forms = ("eager", "graph")
    with programs.started(CHILD, [(version, f) for f in forms]) as running:
        return {
            form: program.ask("estimate", size, 1)
            for form, program in zip(forms, running, strict=True)
        }


def taken(version, size, budget, *, seed=0):
    """Return the Samples of a call of π, by form, under one version.

    size    points of a call
    budget  seconds for all rounds
    seed    of the order within a round

    Raises ValueError for a form that does not estimate π.
    """
    forms = FORMS[version]
    with programs.started(CHILD, [(version, f) for f in forms]) as running:
        samplers = {
            form: _sampler(program, form, size)
            for form, program in zip(forms, running, strict=True)
        }
        return clock.sample(
            samplers, budget=budget, seed=seed, first="unknown"
        )


def _sampler(program, form, size):
    """Return a function that takes the seconds of a call."""
    tried = tries(size)
    if z_score(program.ask("estimate", size, tried), tried * size) > 5:
        raise ValueError(f"{form}, {size} points: not π")
    once = program.ask("seconds", size, tried)
    calls = min(TURNS, 1 + int(SAMPLE / once))
    return lambda: program.ask("seconds", size, calls)


def threads_part(times, way):
    """Return the threads' part of TensorFlow's gain, None without a gain.

    times  Timings by "NumPy", the way and "<way>, 1 thread"
    way    "eager" or "graph"
    """
    gain = times.ratio("NumPy", way)
    if not gain > 1:
        return None
    return models.part_of_gain(times.ratio(f"{way}, 1 thread", way), gain)
