"""What Numba makes of the talk's NumPy program: then and today.

Each stack of Python, NumPy and Numba is a process of its own.
"""

import contextlib
import functools

from onthefly import clock
from onthefly.experiments.numba import stacks
from onthefly.kernels import z_score
from onthefly.tools.processes import Program

# Today's jit refuses the program; it may be told to keep to objects.
DECORATED = {"then": ("NumPy", "jit"), "now": ("NumPy", "jit of objects")}
WAYS = {
    k: (*ways, "rewritten", "rewritten, nogil")
    for k, ways in DECORATED.items()
}
SAMPLE = 0.008  # seconds that a sample lasts, about


def program(python):
    """Return a Program that answers the functions of jitted_child.

    python  an interpreter that has NumPy and Numba
    """
    return Program(f"{__package__}.jitted_child", python=python)


def outcomes():
    """Return {stack: what its jit makes of the program}."""
    found = {}
    for stack, python in stacks.pythons().items():
        with program(python) as asked:
            found[stack] = asked.ask("outcome")
    return found


def then_and_now(budget, *, seed=0, shots=10**5, ways=None):
    """Return the Samples of a call of π, by "<way>, <stack>".

    budget  seconds for all rounds
    seed    of the order within a round
    shots   points of a call
    ways    {stack: names}, of each stack of `stacks.pythons`; WAYS by default
    """
    with contextlib.ExitStack() as opened:
        samplers = {}
        for stack, python in stacks.pythons().items():
            asked = opened.enter_context(program(python))
            for way in (ways or WAYS)[stack]:
                samplers[f"{way}, {stack}"] = _sampler(asked, way, shots)
        return clock.sample(
            samplers, budget=budget, seed=seed, first="unknown"
        )


def _sampler(asked, way, shots):
    """Return a function that takes the seconds of a call, compiled before.

    Raises ValueError for a way that does not estimate π.
    """
    estimate = asked.ask("estimate", way, shots)
    if z_score(estimate, shots) > 5:
        raise ValueError(f"{way}: {estimate} is not π")
    calls = 1 + int(SAMPLE / asked.ask("seconds", way, shots, 1))
    return functools.partial(asked.ask, "seconds", way, shots, calls)
