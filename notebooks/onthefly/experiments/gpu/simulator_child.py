"""Run CUDA kernels in Numba's simulator, as asked on standard input.

A child process of `pi_cuda_sim.Simulator`, which sets the environment.  A
question is a line of JSON, [module, kernel, blocks, threads, arguments]; the
answer holds the arrays among the arguments after the run, or the error.
"""

import importlib
import json
import sys
import threading
import warnings

import numpy as np
from numba.cuda.simulator.kernelapi import FakeCUDAModule

from onthefly.experiments.gpu.simulator import pack, unpack

WARP = 32


def shfl_down_sync(self, mask, value, step):
    """Stand in for the shuffle, which Numba's simulator lacks.

    All threads of the block must come by.  A lane near the warp's end gets
    its own value back, as on a device.
    """
    thread = threading.current_thread()
    place = thread.thread_id
    self.shuffled[place] = value
    thread.syncthreads()
    there = place + step if place % WARP + step < WARP else place
    found = self.shuffled[there]
    thread.syncthreads()
    return found


def complete():
    """Give this process's simulator what it lacks, and quiet it."""
    warnings.simplefilter("ignore")  # each 64-bit sum that wraps warns
    FakeCUDAModule.shuffled = {}
    FakeCUDAModule.shfl_down_sync = shfl_down_sync


def answer(module, kernel, blocks, threads, arguments):
    """Run one kernel; return what to answer."""
    kernel = getattr(importlib.import_module(module), kernel)
    arguments = [unpack(a) if isinstance(a, dict) else a for a in arguments]
    try:
        kernel[blocks, threads](*arguments)
    except Exception as error:  # said to the parent, which raises it
        return {"error": f"{type(error).__name__}: {error}"}
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    return {"arrays": [pack(a) for a in arrays]}


def main():
    """Answer until the parent closes its end."""
    complete()
    for line in sys.stdin:
        print(json.dumps(answer(*json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
