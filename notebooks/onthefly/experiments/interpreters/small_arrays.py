"""From which size of arrays on do threads gain, without the GIL?"""

import contextlib
import functools

from onthefly.experiments.interpreters import (
    library_trials,
    small_arrays_child,
)
from onthefly.measure import clock
from onthefly.tools.processes import Program

WAYS = small_arrays_child.IN_TURN, small_arrays_child.TOGETHER
SAMPLE = 0.01  # seconds that a sample lasts, about: threads are started in it


def taken(sizes, budget, seed=0):
    """Return the Samples of an addition by NumPy, in turn and by threads.

    sizes   numbers of each of two arrays
    budget  seconds for all rounds
    """
    program = Program(
        small_arrays_child.__name__,
        python=library_trials.python(),
        environment={"OPENBLAS_NUM_THREADS": "1"},
    )
    with contextlib.closing(program):

        @functools.cache
        def times(size):
            program.ask("seconds", WAYS[0], size, 100)
            return 1 + int(
                SAMPLE / program.ask("seconds", WAYS[0], size, 100)
            )

        def sampler(way):
            return lambda n: program.ask("seconds", way, n, times(n))

        return clock.sample(
            {way: sampler(way) for way in WAYS},
            sizes=sizes,
            budget=budget,
            first="unknown",
            seed=seed,
        )
