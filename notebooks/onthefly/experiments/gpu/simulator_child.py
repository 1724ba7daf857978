"""The program of `simulator.Simulator`: runs CUDA kernels as it is asked.

To load it gives this process's simulator what it lacks.
"""

import importlib
import threading
import warnings

import numpy as np
from numba.cuda.simulator import api
from numba.cuda.simulator.kernelapi import FakeCUDAModule

from onthefly.kernels.forms import loaded, unloaded

WARP = 32
FORM = "Numba CUDA"


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
    other = self.shuffled[there]
    thread.syncthreads()
    return other


warnings.simplefilter("ignore")  # each 64-bit sum that wraps warns
FakeCUDAModule.shuffled = {}
FakeCUDAModule.shfl_down_sync = shfl_down_sync
# It has no queue, so that no launch comes too late.
api.Event.query = lambda self: False


def launched(module, kernel, blocks, threads, arguments):
    """Run a kernel; return the arrays among its arguments, changed.

    module, kernel   its names
    blocks, threads  of the launch
    """
    kernel = getattr(importlib.import_module(module), kernel)
    kernel[blocks, threads](*arguments)
    return [a for a in arguments if isinstance(a, np.ndarray)]


def result(module, name, data):
    """Return what a way of kernels/ makes of its data, and the data after it.

    module, name  of the function, which takes and returns device arrays
    """
    function = getattr(importlib.import_module(module), name)
    given = loaded(data, FORM)
    return unloaded((function(*given), given), FORM)
