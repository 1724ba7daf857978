"""Arrays that are handed from library to library, and their addresses.

Source: Okuda, PyCon JP 2018, slide 34, which names DLPack.
"""

import numpy as np

from onthefly.experiments.memory.buffers import address
from onthefly.tools import devices

REFUSALS = (BufferError, RuntimeError, TypeError, ValueError)


def shared(way, source):
    """Return "yes" if what `way` makes of the source lies where it does.

    Else "no", or "refused: " and the exception.
    """
    try:
        same = address(way(source)) == address(source)
    except REFUSALS as error:
        return f"refused: {type(error).__name__}"
    return "yes" if same else "no"


def read_only(size):
    """Return an array of ones that NumPy refuses to write to."""
    array = np.ones(size, np.float32)
    array.flags.writeable = False
    return array


def written(array, way=None):
    """Write 5 to the first number through a tensor; tell what became of it.

    array  of ones, which NumPy may refuse to write to
    way    makes the tensor; by default torch.from_dlpack
    """
    if way is None:
        from torch import from_dlpack as way
    try:
        way(array)[0] = 5
    except REFUSALS as error:
        return f"refused: {type(error).__name__}"
    return "the array has changed" if array[0] == 5 else "it has not changed"


def on_the_host(size=1000):
    """Return {way: (function, source)} of NumPy and PyTorch."""
    import torch

    array, tensor = np.ones(size, np.float32), torch.ones(size)
    graded = torch.ones(size, requires_grad=True)
    return {
        "torch.tensor(array)": (torch.tensor, array),
        "torch.from_numpy(array)": (torch.from_numpy, array),
        "torch.from_dlpack(array)": (torch.from_dlpack, array),
        "tensor.numpy()": (torch.Tensor.numpy, tensor),
        "np.from_dlpack(tensor)": (np.from_dlpack, tensor),
        "np.from_dlpack(tensor, copy=True)": (
            lambda x: np.from_dlpack(x, copy=True),
            tensor,
        ),
        "torch.from_dlpack(array[::2])": (torch.from_dlpack, array[::2]),
        "np.from_dlpack(tensor with gradient)": (np.from_dlpack, graded),
        "torch.from_dlpack(read-only array)": (
            torch.from_dlpack,
            read_only(size),
        ),
    }


def on_the_device(size=1000):
    """Return {way: (function, source)} of PyTorch, Numba and CuPy.

    Needs a CUDA device that PyTorch sees; of Numba and CuPy, those that see
    none are left out.
    """
    import torch

    tensor = torch.ones(size, device="cuda")
    ways = {"np.from_dlpack(CUDA tensor)": (np.from_dlpack, tensor)}
    arrays = {"tensor": tensor}
    if devices.sees_cuda("cupy"):
        import cupy

        array = arrays["CuPy array"] = cupy.ones(size, cupy.float32)
        ways |= {
            "cupy.from_dlpack(tensor)": (cupy.from_dlpack, tensor),
            "cupy.asarray(tensor)": (cupy.asarray, tensor),
            "torch.from_dlpack(CuPy array)": (torch.from_dlpack, array),
        }
    if devices.sees_cuda("numba-cuda"):
        from numba import cuda

        ways |= {
            f"numba.cuda.as_cuda_array({name})": (cuda.as_cuda_array, source)
            for name, source in arrays.items()
        }
    return ways


def rows(ways, where):
    """Return a table's rows: does each way share memory?"""
    return [
        {"way": name, "on": where, "same address": shared(*case)}
        for name, case in ways.items()
    ]
