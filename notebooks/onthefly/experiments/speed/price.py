"""What a fast generator of points costs: coarse coordinates, whose lattice
has a π of its own, and a short hash, which a test can find out.
"""

import math

import numba
import numpy as np
from scipy import stats

from onthefly.experiments.speed import error_law
from onthefly.kernels.pi import pi_limit, pi_vectors

HASHES = {
    "this page's": pi_limit.hits_int,
    "in vectors": pi_vectors.hits_vectors,
    "one multiplication less": pi_limit.hits_short,
}  # {name: kernel}


def lattices():
    """Return {bits a coordinate: π of their lattice}, counted exactly."""
    estimates = {f"{b}": pi_limit.lattice_pi(b) for b in (8, 12, 16, 24)}
    return estimates | {"16, whole circle": pi_limit.lattice_pi_int()}


def rows(a_shot):
    """Return the rows of a table: from which size a lattice's π shows.

    a_shot  time of a shot, a Quantity
    """
    return [
        {
            "bits a coordinate": name,
            "π of the lattice, less π": f"{pi - math.pi:.1e}",
            "law bends at, shots": f"{bend(pi):.0e}",
            "time to get there": _told(a_shot * bend(pi)),
        }
        for name, pi in lattices().items()
    ]


def bend(pi):
    """Return the shots at which chance is as small as a lattice's error."""
    return error_law.reach(pi - math.pi)


def _told(seconds):
    """Return a time as text, in hours where it is long."""
    hours = seconds.value / 3600
    return seconds.worded(f"{hours:.1f} h") if hours > 1 else seconds.short


def kernel(mix):
    """Return a kernel as pi_limit.hits_int, by another hash.

    mix  compiled function of 32 bits that returns 32 bits
    """
    inside, multiply = pi_limit.inside, pi_limit.multiply
    step = np.uint32(pi_limit.STEP)

    @numba.njit("uint32(uint32, uint32)", nogil=True)
    def hits(shots, key):
        count, c, end = np.uint32(0), np.uint32(0), multiply(shots, step)
        while c != end:
            c = np.uint32(c + step)
            hit = inside(np.uint32(mix(np.uint32(c ^ key))))
            count = np.uint32(count + hit)
        return count

    return hits


def tests(hits, size, pi):
    """Return {test: p} of the hits of blocks: would chance give them?

    hits  of each block
    size  shots of a block
    pi    what the estimates should tend to
    """
    p, n = pi / 4, len(hits)
    z = (hits - size * p) / math.sqrt(size * p * (1 - p))
    squares, ideal = np.sum(z**2), stats.chi2(n)
    return {
        "mean": 2 * stats.norm.sf(abs(z.mean()) * math.sqrt(n)),
        "spread": 2 * min(ideal.cdf(squares), ideal.sf(squares)),
        "shape": stats.kstest(z, "norm").pvalue,
    }


def row(name, hits, size, pi):
    """Return a row of a table: what `tests` says, and what it looked at."""
    off = error_law.deviation(hits, size, pi)
    p = pi / 4
    spread = float(np.mean((hits - size * p) ** 2)) / (size * p * (1 - p))
    p_values = tests(hits, size, pi)
    return {
        "hash": name,
        "mean off by": f"{off:+.2f} σ",
        "spread": f"{spread:.4f}",
        **{f"p of the {test}": f"{p:.2g}" for test, p in p_values.items()},
    }


def long_run(hits, size, pi):
    """Return what `row` and `tests` say of a long run: a dict, JSON-ready.

    hits, size, pi  as for `tests`

    Beside row and tests: off, the standard deviations that its mean lies
    off, and power, the exponent of its error law with its interval.
    """
    power = error_law.power(error_law.batches(hits, size))
    return {
        "row": row("large blocks", hits, size, pi),
        "tests": tests(hits, size, pi),
        "off": error_law.deviation(hits, size, pi),
        "power": [power.value, power.low, power.high],
    }
