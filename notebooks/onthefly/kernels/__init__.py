"""Kernels: a folder a problem, a file a method, one signature.

``<problem>_<method>`` takes what the problem's ``data(n, seed)`` returns and
has no clock inside.  The problems that the book compares have a file
problem.py, and a line in `problems`.

``pi_<method>(shots, rng=None)`` returns an estimate of π from so many shots
at the unit square.  ``stream(seed)`` of the same module makes its `rng`;
without one, a stream of the process is used, as the talks do.

Importing this package loads nothing heavy, so that worker processes start
fast.
"""

import math


def check_shots(shots):
    """Return `shots` as an int of at least 1.

    Raises TypeError unless it is an integer, ValueError below 1.
    """
    try:
        count = shots.__index__()
    except AttributeError:
        kind = type(shots).__name__
        raise TypeError(f"shots must be an integer, not {kind}") from None
    if count < 1:
        raise ValueError(f"shots must be at least 1, not {count}")
    return count


def z_score(estimate, shots):
    """Return how many standard deviations `estimate` lies from π.

    The hits are binomial with probability π/4, so an estimate from `shots`
    points has the standard deviation sqrt(π·(4 − π) / shots).
    """
    deviation = math.sqrt(math.pi * (4 - math.pi) / shots)
    return abs(estimate - math.pi) / deviation


def split(shots, parts):
    """Return the sizes of `parts` parts that make up all the shots."""
    size, rest = divmod(shots, parts)
    return [size + (k < rest) for k in range(parts)]
