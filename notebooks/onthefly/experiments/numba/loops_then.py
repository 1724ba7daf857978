"""Loops and whole arrays, then and now, in the same rounds."""

import contextlib
import functools

from onthefly.experiments.numba import stacks
from onthefly.measure import clock
from onthefly.tools.processes import Program

THEN, NOW = "then", "now"  # Python 3.6, NumPy 1.15 and Numba 0.38; today's
CHILD = f"{__package__}.loops_then_child"
SAMPLE = 0.005  # seconds that a sample lasts, about


def here():
    """Tell whether this machine has the software of then."""
    return THEN in stacks.pythons()


def times(sizes, budget, seed=0):
    """Time ways under the software of then and of today; Samples.

    sizes   {way of loops_then_child.WAYS: list of sizes}
    budget  seconds for all rounds

    A name is ``"<way>, then"`` or ``"<way>, now"``; each has a process.
    """
    with contextlib.ExitStack() as opened:
        samplers, asked = {}, {}
        for when, python in stacks.pythons().items():
            program = opened.enter_context(Program(CHILD, python=python))
            for way, some in sizes.items():
                samplers[f"{way}, {when}"] = _sampler(program, way)
                asked[f"{way}, {when}"] = some
        return clock.sample(
            samplers, sizes=asked, budget=budget, first="unknown", seed=seed
        )


def _sampler(program, way):
    """Return a function of a size that takes the seconds of a call."""

    @functools.cache
    def calls(n):
        return 1 + int(SAMPLE / program.ask("seconds", way, n, 1))

    return lambda n: program.ask("seconds", way, n, calls(n))
