"""The talk's formula for a loop, fitted on some cells and tried on others.
Source: Okuda, TFUG 2018, slide 20.

A cell is a size n and a number of steps N.  Every other n and every other N
are fitted; the other cells are predicted.
"""

import dataclasses
import functools
import itertools

from onthefly.measure import models
from onthefly.measure.models import Fit
from onthefly.measure.quantity import Quantity


def loops(counts, **ways):
    """Return {"way, N": call(size)}, for a measurement of loops.

    counts  numbers of steps N
    ways    name=call(N, size)
    """
    return {
        f"{name}, {N}": functools.partial(way, N)
        for name, way in ways.items()
        for N in counts
    }


def added(n, N, trip, step, once):
    """Return what eager takes beyond the graph, by {model: seconds}.

    n, N  elements, and steps
    trip  seconds of a round trip of so many elements
    step  the Fit of what an eager step adds, a + b·n seconds
    once  seconds that the graph's one run adds
    """
    return {
        "slide 20": N * trip,
        "N fitted steps": N * step.at(n),
        "less one run": N * step.at(n) - once,
    }


@dataclasses.dataclass(frozen=True)
class Tried:
    """The models of `added`, on the cells that no fit has seen.

    step    the Fit of what an eager step adds, a + b·n seconds
    once    seconds that the graph's one run adds, a Quantity
    ratios  {model: {(n, N): predicted over measured, a number}}
    """

    step: Fit
    once: Quantity
    ratios: dict[str, dict[tuple[int, int], float]]

    def error(self, model):
        """Return the median error of a model, a share."""
        off = [abs(ratio - 1) for ratio in self.ratios[model].values()]
        return Quantity.median(off, "%")

    def points(self):
        """Return {model: [(N, predicted over measured)]} for a figure."""
        return {
            model: [(N, ratio) for (_, N), ratio in ratios.items()]
            for model, ratios in self.ratios.items()
        }


def tried(times, sizes, counts, best):
    """Return the models Tried on a measurement.

    times   Timings of `loops` by "eager" and "graph", and of "round trip"
    sizes   five or more, and
    counts  five or more numbers of steps, all of which were measured
    best    what is taken of a series: ``times.least`` or ``times.seconds``

    Raises ValueError for fewer cells.
    """
    known = list(itertools.product(sizes[::2], counts[::2]))
    step, once = models.loop_overhead(
        *(
            {(n, N): best(f"{way}, {N}", n) for n, N in known}
            for way in ("eager", "graph")
        )
    )
    ratios = {}
    for n, N in itertools.product(sizes, counts):
        if (n, N) in known:
            continue
        more = added(n, N, best("round trip", n), step, once)
        for model, seconds in more.items():
            guess = best(f"graph, {N}", n) + seconds
            ratio = guess / best(f"eager, {N}", n)
            ratios.setdefault(model, {})[n, N] = ratio.value
    return Tried(step, once, ratios)
