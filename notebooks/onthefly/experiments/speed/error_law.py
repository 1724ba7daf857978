"""The error law from the hits of equal parts of a run: how far estimates of
each size lie from a centre, root mean square.

Source of the law: Okuda, PyCon JP 2018, slide 13.
"""

import math
import statistics

import numpy as np

from onthefly.measure import models
from onthefly.measure.quantity import CONFIDENCE, Quantity, origin_of

LEAST = 6  # estimates of a size


def batches(hits, size, centre=math.pi, factor=4):
    """Return {shots: error relative to π} of estimates of growing size.

    hits    of each part of a run, in order
    size    shots of a part
    centre  what the estimates are compared with
    factor  each size is so many times the one before

    A size has at least LEAST estimates, none of which shares a shot.
    """
    by_shots, width = {}, 1
    while len(hits) // width >= LEAST:
        whole = hits[: len(hits) // width * width].reshape(-1, width)
        shots = width * size
        estimates = 4 * whole.sum(axis=1, dtype=np.int64) / shots
        errors = (estimates - centre) / math.pi
        by_shots[shots] = models.root_mean_square(errors)
        width *= factor
    return by_shots


def power(points):
    """Return the exponent of a law error = a·shots^b, as a Quantity.

    points  {shots: Quantity} of one or more runs, as `batches` returns them

    A root mean square of m normal errors scatters by 1 / sqrt(2 m): few
    estimates weigh little.  Of one run, large estimates are made of the
    small ones: the logarithms of two sizes have the variance of the smaller
    size in common.  A new run begins where the interval gets no wider.  So
    the covariance is known, and the generalised least squares are exact.

    Raises ValueError for fewer than three sizes.
    """
    if len(points) < 3:
        raise ValueError(f"error law: {len(points)} sizes, needs 3")
    shots = sorted(points)
    ends = np.log([(points[n].low, points[n].high) for n in shots])
    variance = (np.ptp(ends, axis=1) / (2 * _normal_end())) ** 2
    run = np.cumsum(np.diff(variance, prepend=variance[0]) <= 0)
    shared = np.minimum.outer(variance, variance)
    weight = np.linalg.inv(np.where(run[:, None] == run, shared, 0.0))
    x = np.stack([np.ones(len(shots)), np.log(shots)], 1)
    spread = np.linalg.inv(x.T @ weight @ x)
    y = np.log([points[n].value for n in shots])
    b = float((spread @ x.T @ weight @ y)[1])
    reach = _normal_end() * math.sqrt(spread[1, 1])
    origin = origin_of(points.values())
    return Quantity(b, b - reach, b + reach, origin=origin)


def theory(shots):
    """Return {shots: error} as the binomial law has it, relative to π."""
    a = math.sqrt((4 - math.pi) / math.pi)
    return {n: Quantity.exact(a / math.sqrt(n)) for n in shots}


def shots_a_digit(b):
    """Return by which factor the shots grow for a tenth of the error.

    b  exponent of the law, a Quantity below 0
    """
    value, *ends = (10 ** (-1 / e) for e in (b.value, b.low, b.high))
    return Quantity(value, *sorted(ends), "×", b.note, origin=b.origin)


def pooled(points):
    """Return the root mean square of several, a Quantity.

    points  Quantities: root mean squares of equally many independent errors
            that should all be alike
    """
    parts = [q * q for q in points]
    mean = sum(parts[1:], parts[0]) / len(parts)
    ends = (math.sqrt(max(0.0, end)) for end in (mean.low, mean.high))
    return Quantity(math.sqrt(mean.value), *ends, origin=mean.origin)


def _normal_end():
    """Return the standard deviations within which 95 % lie: 1.96."""
    return statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def deviation(hits, size, centre):
    """Return how many standard deviations a whole run lies off a centre."""
    shots, p = size * len(hits), centre / 4
    off = int(hits.sum(dtype=np.int64)) - shots * p
    return off / math.sqrt(shots * p * (1 - p))


def reach(off):
    """Return the shots at which chance is as small as an offset of π."""
    return math.pi * (4 - math.pi) / off**2


def rows(laws):
    """Return {name: {shots: Quantity}} as the rows of a table."""
    return [
        {"law": name, "shots": shots, "error": q.value, "low": q.low,
         "high": q.high}
        for name, points in laws.items()
        for shots, q in points.items()
    ]  # fmt: skip
