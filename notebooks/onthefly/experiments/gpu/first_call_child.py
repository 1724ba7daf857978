"""What a process does before its first kernel has run, step by step.

The program of `first_call`, for a process has only one first call.  It loads
nothing by itself but the clock: what is loaded already takes no time.
"""

import time


def step(seconds, name, call):
    """Run a call, write down its seconds and return its result."""
    start = time.perf_counter()
    result = call()
    seconds[name] = time.perf_counter() - start
    return result


def lab():
    """Load the kernels and their compiler; return their modules."""
    from onthefly.experiments.gpu import ptx
    from onthefly.kernels.pi import pi_cuda

    return ptx, pi_cuda


def parts():
    """Return {step: seconds}; without a device, of those that need none."""
    seconds = {}
    ptx, pi_cuda = step(seconds, "import", lab)
    for k in ("first", "second"):
        step(seconds, f"states, {k}", lambda: pi_cuda.states(1, 1000))
    if step(seconds, "load the compiler", ptx.missing):
        return seconds

    def compiled():
        return ptx.compiled(pi_cuda.pi_each, ptx.PI)

    text = step(seconds, "kernel to PTX, first", compiled)
    step(seconds, "kernel to PTX, second", compiled)
    step(seconds, "PTX to machine code", lambda: ptx.registers(text))
    return seconds


def calls(cache=False, shots=1000):
    """Return the seconds of the first two calls of the talk's function.

    cache  whether Numba keeps the kernel on disk, or finds it there

    Needs a device.
    """
    from numba import cuda

    from onthefly.kernels.pi import pi_cuda

    pi_cuda.pi_each = cuda.jit(cache=cache)(pi_cuda.pi_each.py_func)
    seconds = {}
    for k in ("first", "second"):
        step(seconds, f"{k} call", lambda: pi_cuda.pi_talk(shots))
    return seconds
