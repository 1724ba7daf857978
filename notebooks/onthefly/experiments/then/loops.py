"""The overheads of the talk's loop, by the TensorFlow of the talk.

Source: Okuda, TFUG Tokyo 2018, slides 20 and 21.
"""

import functools

from onthefly.experiments.then import programs
from onthefly.measure import clock

VERSION = "1.9"
CHILD = f"{__package__}.loops_child"
SAMPLE = 0.002  # seconds that a sample lasts, about
TRIP = "round trip"


def here():
    """Tell whether this machine has it."""
    return programs.here(VERSION)


def taken(sizes, counts, longer, budget, seed=0):
    """Return the Samples of loops, by "<way>, <steps>", and of TRIP.

    sizes   elements of the array
    counts  numbers of steps, for each size
    longer  (size, numbers of steps) for the graph alone
    budget  seconds for all rounds

    Raises ValueError for a loop that does not add as many ones.
    """
    size, more = longer
    ways = ("eager", "graph")
    with programs.started(CHILD, [(VERSION, w) for w in ways]) as both:
        running = dict(zip(ways, both, strict=True))
        samplers, asked = (
            {TRIP: _sampler(running["graph"], TRIP, 1)},
            {TRIP: sizes},
        )
        for way, program in running.items():
            if program.ask("last", way, 4, size) != [5.0, 5.0]:
                raise ValueError(f"{way}: not as many ones as steps")
            for steps in counts:
                samplers[f"{way}, {steps}"] = _sampler(program, way, steps)
                asked[f"{way}, {steps}"] = sizes
        for steps in more:
            samplers[f"graph, {steps}"] = _sampler(
                running["graph"], "graph", steps
            )
            asked[f"graph, {steps}"] = [size]
        return clock.sample(
            samplers, sizes=asked, budget=budget, first="unknown", seed=seed
        )


def _sampler(program, way, steps):
    """Return a function of a size that takes the seconds of a call."""

    @functools.cache
    def calls(n):
        program.ask("seconds", way, steps, n, 2)
        return 1 + int(SAMPLE / program.ask("seconds", way, steps, n, 2))

    return lambda n: program.ask("seconds", way, steps, n, calls(n))
