"""What Numba makes of the talk's NumPy program: then and today.

Each stack of Python, NumPy and Numba is a process of its own.
"""

import contextlib

from onthefly.experiments.numba import stacks
from onthefly.kernels import z_score
from onthefly.measure import clock
from onthefly.tools.processes import Program

# Today's jit refuses the program; it may be told to keep to objects.
DECORATED = {"then": ("NumPy", "jit"), "now": ("NumPy", "jit of objects")}
WAYS = {
    k: (*ways, "rewritten", "rewritten, nogil")
    for k, ways in DECORATED.items()
}
FEW, MANY = 10**5, 10**6  # points of a call; the rewritten take the few
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


def then_and_now(budget, *, seed=0, sizes=(FEW, MANY)):
    """Return the Samples of a call of π, by "<way>, <stack>".

    budget  seconds for all rounds
    seed    of the order within a round
    sizes   points of a call; of the rewritten program the first alone

    The ways are WAYS, on each stack of `stacks.pythons`.  Each size has a
    process of its own: one that has made large arrays keeps their memory,
    and makes small ones sooner.
    """
    with started() as running, contextlib.ExitStack() as opened:
        samplers, points = {}, {}
        for stack, origin in running.items():
            copies = {n: opened.enter_context(origin.fork()) for n in sizes}
            for way in WAYS[stack]:
                name = f"{way}, {stack}"
                plain = way in DECORATED[stack]
                points[name] = sizes if plain else sizes[:1]
                samplers[name] = _sampler(copies, way, points[name])
        return clock.sample(
            samplers, sizes=points, budget=budget, seed=seed, first="unknown"
        )


def _sampler(copies, way, sizes):
    """Return a function of a size that takes the seconds of a call.

    copies  {size: process}; compiled before

    Raises ValueError for a way that does not estimate π.
    """
    calls = {}
    for size in sizes:
        asked = copies[size]
        if z_score(asked.ask("estimate", way, size), size) > 5:
            raise ValueError(f"{way}, {size} points: not π")
        once = asked.ask("seconds", way, size, 1)
        calls[size] = 1 + int(SAMPLE / once)
    return lambda n: copies[n].ask("seconds", way, n, calls[n])
