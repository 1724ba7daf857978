"""The same π on any stack of Python, NumPy and Numba: then and now.

Runs under any Python from 3.6 that has NumPy and Numba.  It answers one
line of JSON, [command, arguments...], with another, so that two stacks can
be asked in turns::

    ["versions"]                         -> {"Python": ..., "Numba": ...}
    ["time", way, shots, loops]          -> seconds a call
    ["pi", way, shots]                   -> the estimate
    ["compile"]                          -> seconds of a first call
    ["code"]                             -> assembly of the loop
    ["instructions", way, few, many]     -> {place: instructions a shot}

Ways: see WAYS, and KERNELS of pi_numba_streams where it can be imported.
Source: Okuda, PyCon JP 2018, slides 18, 22, 51 and 52.
"""

import json
import os
import random
import sys
import time

if "ONTHEFLY_INLINE" in os.environ:  # LLVM's threshold, before any use
    from llvmlite import binding

    limit = os.environ["ONTHEFLY_INLINE"]
    binding.set_option("", "-inline-threshold=" + limit)

import numba
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import instructions_standalone
from probes_child import keep_environments, kept


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


def way(name):
    """Return a way by its name."""
    if name in WAYS:
        return WAYS[name]
    from onthefly.kernels import pi_numba_streams

    return pi_numba_streams.KERNELS[name]


def versions():
    """Return the versions of the stack."""
    return {
        "Python": "%d.%d.%d" % sys.version_info[:3],
        "NumPy": np.__version__,
        "Numba": numba.__version__,
    }


def seconds(name, shots, loops):
    """Return seconds a call of a loop of calls."""
    call = way(name)
    start = time.perf_counter()
    for _ in range(loops):
        call(shots)
    return (time.perf_counter() - start) / loops


def compile_seconds():
    """Return the seconds of a first call: type inference, LLVM, loading."""
    call = numba.njit(loop)
    kept.append(call)
    start = time.perf_counter()
    call(1)
    return time.perf_counter() - start


def code():
    """Return the assembly of the compiled loop."""
    WAYS["Numba"](1)
    return next(iter(WAYS["Numba"].inspect_asm().values()))


def _helpers():
    """Return {address: name} of Numba's own C functions for `random`."""
    from numba import _helperlib

    known = _helperlib.c_helpers
    names = {address: "state lookup" for address in known.values()}
    names[known["rnd_shuffle"]] = "refill of the state"
    return names


def instructions(name, few, many):
    """Return {place: instructions a shot}, or None.

    With few shots no refill of the Mersenne Twister is counted: there is
    one in 156.
    """
    call = way(name)
    call(few)
    found = instructions_standalone.executed(call, few, many, _helpers())
    if found is None:
        return None
    merged = {}
    for place, count in found.items():
        if place.startswith(("ld-", "ld.", "_helperlib")):
            place = "state lookup"
        if place.startswith(("libpython", "python", "libc.", "libc-")):
            continue  # how Python calls, which is no matter of the shots
        merged[place] = merged.get(place, 0) + count
    return merged


COMMANDS = {
    "versions": versions,
    "time": seconds,
    "pi": lambda name, shots: float(way(name)(shots)),
    "compile": compile_seconds,
    "code": code,
    "instructions": instructions,
}


def main():
    """Answer each line of standard input with one of standard output."""
    keep_environments()
    for line in sys.stdin:
        command, *arguments = json.loads(line)
        print(json.dumps(COMMANDS[command](*arguments)), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
