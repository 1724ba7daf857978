"""The talk's NumPy program, plain and compiled by Numba, on any stack.

The program of `jitted`, under any Python from 3.6 that has NumPy and Numba.
Source: Okuda, PyCon JP 2018, slides 18, 22 and 46.
"""

import time
import warnings

import numba

from onthefly.experiments.numba import old_numba_child
from onthefly.experiments.numba.rewritten import pi_numpy_rewritten
from onthefly.kernels.pi.pi_numpy_printed import pi_numpy_printed

old_numba_child.keep_environments()
warnings.simplefilter("ignore")  # jit says so where it falls back

WAYS = {
    "NumPy": pi_numpy_printed,
    "jit": numba.jit(pi_numpy_printed),
    "jit of objects": numba.jit(forceobj=True)(pi_numpy_printed),
    "rewritten": pi_numpy_rewritten,
    "rewritten, nogil": numba.jit(nopython=True, nogil=True)(
        pi_numpy_rewritten
    ),
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
