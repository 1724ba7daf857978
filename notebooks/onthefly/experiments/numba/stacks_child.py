"""The same π on any stack of Python, NumPy and Numba: then and now.

The program of `stacks.stack`, under any Python from 3.6 that has NumPy and
Numba.  Ways: see WAYS, and KERNELS of pi_numba_streams where the stack can
import it.  Source: Okuda, PyCon JP 2018, slides 18, 22, 51 and 52.
"""

import random
import time

import numba
import numpy as np

from onthefly.experiments.numba import instructions_child, old_numba_child

old_numba_child.keep_environments()


def loop(shots):
    """Return π by the loop."""
    hits = 0
    for _ in range(shots):
        x = random.random()
        y = random.random()
        if x * x + y * y <= 1.0:
            hits += 1
    return 4.0 * hits / shots


def arrays(shots):
    """Return π by whole arrays."""
    x = np.random.rand(shots)
    y = np.random.rand(shots)
    return 4.0 * np.count_nonzero(x * x + y * y <= 1.0) / shots


def arrays_sum(shots):
    """Return π by arrays that every Numba can compile."""
    x = np.random.rand(shots)
    y = np.random.rand(shots)
    return 4.0 * np.sum(x * x + y * y <= 1.0) / shots


WAYS = {
    "Python": loop,
    "NumPy": arrays,
    "Numba": numba.njit(loop),
    "Numba on NumPy": numba.njit(arrays_sum),
}


def _way(name):
    """Return a way by its name."""
    if name in WAYS:
        return WAYS[name]
    from onthefly.kernels.pi import pi_numba_streams

    return pi_numba_streams.KERNELS[name]


def seconds(name, shots, loops):
    """Return the seconds of a call of a way, in a loop of calls."""
    call = _way(name)
    start = time.perf_counter()
    for _ in range(loops):
        call(shots)
    return (time.perf_counter() - start) / loops


def estimate(name, shots):
    """Return π by a way, as a plain number."""
    return float(_way(name)(shots))


def inline(limit):
    """Let LLVM inline what costs less than this limit; before it compiles."""
    from llvmlite import binding

    binding.set_option("", "-inline-threshold=%d" % limit)


def _helpers():
    """Return {address: name} of Numba's own C functions for `random`."""
    from numba import _helperlib

    known = _helperlib.c_helpers
    names = {address: "state lookup" for address in known.values()}
    names[known["rnd_shuffle"]] = "refill of the state"
    return names


def instructions(name, few, many):
    """Return the machine instructions of a shot: {what: how many}.

    "instructions" are all of them, "state lookup" those that look for the
    generator's state.  With few shots no refill of the Mersenne Twister is
    counted: there is one in 156.  Empty where no process can be stepped.
    """
    call = _way(name)
    call(few)
    executed = instructions_child.executed(call, few, many, _helpers()) or {}
    counts = {"instructions": 0.0, "state lookup": 0.0}
    for place, count in executed.items():
        if place.startswith(("libpython", "python", "libc.", "libc-")):
            continue  # how Python calls, which is no matter of the shots
        counts["instructions"] += count
        if place.startswith(("state", "ld-", "ld.", "_helperlib")):
            counts["state lookup"] += count
    return counts if executed else {}
