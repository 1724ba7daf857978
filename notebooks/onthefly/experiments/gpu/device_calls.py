"""Calls of PyTorch and CuPy whose Python side may need the GIL.

Each is a function without arguments, to be called from several threads at
once; what it writes belongs to its thread.
"""

import functools

from onthefly.tools.threads import own

GRAPH = 20  # launches in a CUDA graph
SHOTS = 10**5  # of the talk's function


def torch_calls(place, size=10**5):
    """Return {name: call} of PyTorch on "cpu" or "cuda".

    size  numbers of the larger tensors
    """
    import torch

    from onthefly.kernels.copy import copy_torch

    one = torch.zeros(1, device=place)
    there = torch.rand(size, device=place)
    here = torch.rand(size)

    def out():
        """Copy the tensor to this thread's own, on the host."""
        copy_torch.copy_out(there, own(torch.empty, size))

    def back():
        """Copy a tensor of the host to this thread's own, over there."""
        copy_torch.copy_in(here, own(_empty(place), size))

    return {
        "torch, one number + 1": lambda: one + 1.0,
        "torch.sin": lambda: torch.sin(there),
        "torch.rand": lambda: torch.rand(size, device=place),
        "torch, copy in": back,
        "torch, copy out": out,
    }


@functools.cache
def _empty(place):
    """Return the function that makes an empty tensor of some size there."""
    import torch

    return functools.partial(torch.empty, device=place)


def cupy_calls(size=10**5, shots=SHOTS):
    """Return {name: call} of CuPy; needs a device."""
    import cupy as cp

    from onthefly.kernels.pi import pi_cupy
    from onthefly.kernels.spin import spin_cupy

    one, there = cp.zeros(1), cp.random.random(size)
    here = cp.asnumpy(there)
    null, spans = cp.cuda.Stream.null, _rows(1)

    def launch():
        spin_cupy.launch(0, spans)

    def launch_own():
        with own(_stream, None):
            spin_cupy.launch(0, own(_rows, 1))

    return {
        "CuPy, launch": launch,
        "CuPy, launch, own stream": launch_own,
        f"CuPy, graph of {GRAPH}": lambda: own(_Graph, GRAPH)(),
        "CuPy, one number + 1": lambda: one + 1.0,
        "CuPy, random": lambda: cp.random.random(size),
        "CuPy, copy in": lambda: own(cp.empty, size).set(here),
        "CuPy, copy out": lambda: there.get(out=own(_host, size)),
        "CuPy, wait": null.synchronize,
        "CuPy, hits": lambda: pi_cupy.hits_cupy(shots),
        "CuPy, π": lambda: pi_cupy.pi_cupy(shots),
    }


def done():
    """Return when all that was asked of the device is done."""
    import cupy as cp

    cp.cuda.Device().synchronize()


def _stream(_):
    import cupy as cp

    return cp.cuda.Stream(non_blocking=True)


def _rows(blocks):
    import cupy as cp

    return cp.zeros((blocks, 3), cp.uint64)


def _host(size):
    import numpy as np

    return np.empty(size)


class _Graph:
    """A CUDA graph of so many launches, on a stream of its own."""

    def __init__(self, launches):
        from onthefly.kernels.spin import spin_cupy

        self._stream = _stream(None)
        with self._stream:
            self._spans = _rows(1)
            spin_cupy.launch(0, self._spans)  # compiles and loads
            self._stream.synchronize()
            self._stream.begin_capture()
            for _ in range(launches):
                spin_cupy.launch(0, self._spans)
            self._graph = self._stream.end_capture()

    def __call__(self):
        self._graph.launch(self._stream)
