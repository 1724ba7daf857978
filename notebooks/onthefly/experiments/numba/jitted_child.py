"""The talk's NumPy program, plain and under ``@numba.jit``, on any stack.

The program of `jitted`, under any Python from 3.6 that has NumPy and Numba.
Source: Okuda, PyCon JP 2018, slides 18 and 22.
"""

import time
import warnings

import numba
import numpy as np

from onthefly.experiments.numba import old_numba_child

old_numba_child.keep_environments()
warnings.simplefilter("ignore")  # jit says so where it falls back


def np_pi(n):
    """Return π by slide 18's program, word for word."""
    x = np.random.rand(n).astype(np.float64)
    y = np.random.rand(n).astype(np.float64)
    rs = np.add(
        np.multiply(x, x, dtype=np.float64),
        np.multiply(y, y, dtype=np.float64),
        dtype=np.float64,
    )
    ones = np.ones(n, dtype=np.float64)
    lss = np.less_equal(rs, ones)
    hit = np.count_nonzero(lss)
    pi = np.float64(4.0) * np.float64(hit) / np.float64(n)
    return pi


WAYS = {
    "NumPy": np_pi,
    "jit": numba.jit(np_pi),
    "jit of objects": numba.jit(forceobj=True)(np_pi),
}


def seconds(way, shots, loops):
    """Return the seconds of a call of a way, in a loop of calls."""
    call = WAYS[way]
    start = time.perf_counter()
    for _ in range(loops):
        call(shots)
    return (time.perf_counter() - start) / loops


def estimate(way, shots):
    """Return π by a way, as a plain number."""
    return float(WAYS[way](shots))


def outcome():
    """Return what ``@numba.jit`` makes of the program.

    "objects" where it falls back to Python's own, "machine code", or the
    name of the error by which it refuses.
    """
    jit = WAYS["jit"]
    try:
        jit(10)
    except Exception as error:
        return type(error).__name__
    made = list(jit.overloads.values())
    return "objects" if made[0].objectmode else "machine code"
