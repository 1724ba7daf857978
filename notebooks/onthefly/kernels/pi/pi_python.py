"""π by a loop of the interpreter.  Source: Okuda, PyCon JP 2018, slide 13."""

import random

from onthefly.kernels import check_shots

stream = random.Random


def pi_python(shots, rng=None):
    """Return π estimated from `shots` points, one at a time."""
    shots = check_shots(shots)
    draw = (rng or random).random
    hits = 0
    for _ in range(shots):
        x = draw()
        y = draw()
        if x * x + y * y <= 1.0:
            hits += 1
    return 4.0 * hits / shots
