"""Time what a process does before its first kernel has run, step by step.

A child process, started by `pi_cuda_first`, for a process has only one first
call.  Prints one JSON object: seconds of each step, or of the first and the
second call of the talk's function.
"""

import json
import sys
import time

started = time.perf_counter()
shots = 1000


def step(found, name, call):
    """Run a call and write down its seconds."""
    start = time.perf_counter()
    call()
    found[name] = time.perf_counter() - start


def parts():
    """Time the steps; without a device, those that need none."""
    found = {}
    from onthefly.experiments.gpu import ptx
    from onthefly.kernels import pi_cuda

    found["import"] = time.perf_counter() - started
    step(found, "states, first", lambda: pi_cuda.states(1, 1000))
    step(found, "states, second", lambda: pi_cuda.states(1, 1000))
    step(found, "load the compiler", ptx.missing)
    if not ptx.missing():
        kept = []
        for k in ("first", "second"):
            step(found, f"kernel to PTX, {k}", lambda: kept.append(
                ptx.compiled(pi_cuda.pi_each, ptx.PI)))  # fmt: skip
        step(found, "PTX to machine code",
             lambda: ptx.registers(kept[0]))  # fmt: skip
    return found


def whole(cache):
    """Time the first two calls of the talk's function on a device."""
    from numba import cuda

    from onthefly.kernels import pi_cuda

    kernel = pi_cuda.pi_each.py_func
    pi_cuda.pi_each = cuda.jit(cache=cache)(kernel)
    found = {}
    for k in ("first", "second"):
        step(found, f"{k} call", lambda: pi_cuda.pi_talk(shots))
    return found


if __name__ == "__main__":
    ways = {
        "parts": parts,
        "whole": lambda: whole(cache=False),
        "cache": lambda: whole(cache=True),
    }
    (how,) = json.loads(sys.argv[1])
    print(json.dumps(ways[how]()))
