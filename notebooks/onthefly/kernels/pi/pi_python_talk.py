"""π by the talk's loop, word for word.  Source: Okuda, PyCon JP 2018, slide
13.  It looks up ``random.random`` twice a shot; `pi_python` does so once."""

import random

from onthefly.kernels import check_shots


def stream(seed):
    """Seed the stream of Python's `random`; returns None."""
    random.seed(seed)


def pi_loop(shots):
    """Return π from `shots` points; Numba can compile this."""
    hits = 0
    for _ in range(shots):
        x = random.random()
        y = random.random()
        r2 = x * x + y * y
        if r2 <= 1.0:
            hits += 1
    return 4.0 * hits / shots


def pi_python_talk(shots, rng=None):
    """Return π estimated from `shots` points, one at a time.

    `rng` is ignored: the talk's loop has one stream a process (see `stream`).
    """
    return pi_loop(check_shots(shots))
