"""What CuPy fetches from a device, as measurements.

Source: Okuda, PyCon JP 2018, slide 32.
"""

import numpy as np

from onthefly.kernels.copy import copy_cupy
from onthefly.measure.clock import measure

# Bytes of the sweep, whole pages.
SIZES = [int(2 ** (16 + k / 2)) // 4096 * 4096 for k in range(23)]


def reads(sizes, **how):
    """Time slide 32's ways to one random number, and fetching alone."""
    drawn = {n: copy_cupy.vector(n) for n in sizes}
    first = sizes[0]
    assert np.array_equal(copy_cupy.fetch(drawn[first]), np.arange(first))
    ways = {
        "NumPy": copy_cupy.host,
        "Array": copy_cupy.array,
        "Scalar": copy_cupy.scalar,
        "copy alone": lambda n: copy_cupy.fetch(drawn[n]),
    }
    return measure(ways, sizes=sizes, **how)


def fetches(sizes):
    """Return {way: call(bytes)} that fetch to three kinds of target."""
    there = {n: copy_cupy.vector(n // 8) for n in sizes}
    used = {n: np.ones(n // 8) for n in sizes}
    kept = {n: copy_cupy.pinned(n // 8) for n in sizes}
    return {
        "fresh": lambda n: copy_cupy.fetch(there[n]),
        "used before": lambda n: copy_cupy.fetch(there[n], used[n]),
        "pinned": lambda n: copy_cupy.fetch(there[n], kept[n]),
    }


def sweep(sizes=SIZES, **how):
    """Return the Timings of ``fetches`` against bytes.

    how  goes to ``clock.measure``
    """
    return measure(fetches(sizes), sizes=sizes, **how)
