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


@contextlib.contextmanager
def started():
    """Yield {stack: Program} of each of `stacks.pythons`, all at once."""
    with contextlib.ExitStack() as opened:
        yield {
            stack: opened.enter_context(program(python))
            for stack, python in stacks.pythons().items()
        }


def outcomes():
    """Return {stack: what its jit makes of the program}."""
    with started() as running:
        return {k: asked.ask("outcome") for k, asked in running.items()}


def then_and_now(budget, *, seed=0, shots=10**5, ways=None):
    """Return the Samples of a call of π, by "<way>, <stack>".

    budget  seconds for all rounds
    seed    of the order within a round
    shots   points of a call
    ways    {stack: names}, of each stack of `stacks.pythons`; WAYS by default
    """
    with started() as running:
        samplers = {
            f"{way}, {stack}": _sampler(asked, way, shots)
            for stack, asked in running.items()
            for way in (ways or WAYS)[stack]
        }
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
