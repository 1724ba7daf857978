"""PyTorch measured apart: by threads, by clocks, and its ways on a GPU."""

import functools
import time

import numpy as np
import torch

from onthefly.experiments.gpu.events import Stopwatch
from onthefly.kernels.pi import pi_torch_device as ways
from onthefly.measure.clock import measure, sample


def _with_threads(threads, call):
    """Return `call` with so many threads of PyTorch."""

    def run():
        torch.set_num_threads(threads)
        return call()

    return run


def by_threads(shots, budget):
    """Return Samples of the program's parts.

    "draw" and "compute", each with "one" thread and with "all"; "NumPy's
    draw"; and, where it can be compiled, "compiled": all of the program with
    all threads, for another number of them would be compiled anew.
    """
    threads = torch.get_num_threads()
    x = torch.rand(shots, dtype=torch.float64)
    parts = {
        "draw": lambda: torch.rand(shots, dtype=torch.float64),
        "compute": lambda: torch.count_nonzero(x * x + x * x <= 1.0),
    }
    candidates = {
        f"{part}, {who}": _with_threads(count, call)
        for part, call in parts.items()
        for who, count in (("one", 1), ("all", threads))
    }
    candidates["NumPy's draw"] = lambda: np.random.rand(shots)
    if not ways.missing():
        candidates["compiled"] = _with_threads(
            threads, lambda: ways.pi_torch_compiled(shots)
        )
    try:
        return measure(candidates, budget=budget)
    finally:
        torch.set_num_threads(threads)


def on_gpu():
    """Return {name: π by that way on the GPU}; compiled where it can be."""
    calls = {
        "PyTorch": functools.partial(ways.pi_torch_device, device="cuda"),
        "PyTorch, captured": ways.pi_torch_captured,
    }
    if not ways.missing():
        calls["PyTorch, compiled"] = functools.partial(
            ways.pi_torch_compiled, device="cuda"
        )
    return calls


def made_or_moved():
    """Return {place: π on the GPU from points that were made there}."""
    return {
        "made there": functools.partial(ways.pi_torch_device, device="cuda"),
        "made here": functools.partial(ways.pi_torch_moved, device="cuda"),
    }


def stopwatches(shots, rounds=20):
    """Return the Timings of one count on a GPU, by three clocks.

    "no wait" stops when the call returns, "wait" when the device is idle
    again; "CUDA events" are written down by the device itself, of another
    call that is in line behind longer work.
    """
    event = functools.partial(torch.cuda.Event, enable_timing=True)

    def call():
        return ways.hits_torch(shots, "cuda")

    def hold(length):
        for _ in range(length):
            call()

    watch = Stopwatch(event, hold, length=1)

    def count():
        torch.cuda.synchronize()
        start = time.perf_counter()
        call()
        returned = time.perf_counter() - start
        torch.cuda.synchronize()
        waited = time.perf_counter() - start
        between = watch.seconds(call)
        return {"no wait": returned, "wait": waited, "CUDA events": between}

    return sample({"count": count}, least=rounds, rounds=rounds)
