"""Copies between the host and a device by PyTorch.

Every function takes the device, or finds it in its tensors: the same code
runs with ``"cpu"``, where host and device are one memory.

Sources: Okuda, PyCon JP 2018, slides 33 and 34; Okuda, TFUG 2018, slide 14.
"""

import math

import numpy as np
import torch

from onthefly.kernels import check_shots


def wait(device):
    """Return when all that was asked of the device is done."""
    if torch.device(device).type == "cuda":
        torch.cuda.synchronize(device)


def pair(size, device, pinned=False):
    """Return two tensors of `size` bytes: on the host, and on the device.

    The host's holds 0, 1, … 250, 0, …; with `pinned` its pages are locked
    in memory, which needs a CUDA device.  The device's holds 0s.
    """
    size = check_shots(size)
    here = torch.empty(size, dtype=torch.uint8, pin_memory=pinned)
    values = torch.arange(251, dtype=torch.uint8)
    here.copy_(values.repeat(size // 251 + 1)[:size])
    return here, torch.zeros(size, dtype=torch.uint8, device=device)


def copy_in(here, there):
    """Copy from the host to the device; return when all has arrived."""
    there.copy_(here, non_blocking=True)
    wait(there.device)
    return there


def copy_out(there, here):
    """Copy from the device to the host; return when all has arrived."""
    here.copy_(there, non_blocking=True)
    wait(there.device)
    return here


# {name: (NumPy's function, PyTorch's, bytes of a number of the result, the
# work that n numbers are)}; each takes one array of single precision.
OPERATIONS = {
    "add": (lambda a: a + np.float32(1), lambda x: x + 1.0, 4, lambda n: n),
    "sqrt": (np.sqrt, torch.sqrt, 4, lambda n: n),
    "sort": (np.sort, lambda x: torch.sort(x)[0], 4,
             lambda n: n * math.log2(n)),
    "FFT": (np.fft.fft, torch.fft.fft, 8, lambda n: n * math.log2(n)),
    "matmul": (lambda a: a @ a, lambda x: x @ x, 4, lambda n: n**1.5),
}  # fmt: skip


def operand(name, size, seed=0):
    """Return the argument of an operation, from 0 to 1: about `size` numbers.

    A vector; for "matmul" the square matrix whose size is nearest.
    """
    size = check_shots(size)
    rng = np.random.default_rng(seed)
    if name == "matmul":
        side = max(1, round(math.sqrt(size)))
        return rng.random((side, side), np.float32)
    return rng.random(size, np.float32)


def there_and_back(name, array, device):
    """Return an operation's result as an array, computed on the device."""
    there = torch.from_numpy(array).to(device)
    return OPERATIONS[name][1](there).cpu().numpy()
