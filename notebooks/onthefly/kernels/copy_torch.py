"""Copies between the host and a device by PyTorch.

Every function takes the device, or finds it in its tensors: the same code
runs with ``"cpu"``, where host and device are one memory.

Sources: Okuda, PyCon JP 2018, slides 33 and 34; Okuda, TFUG 2018, slide 14.
"""

import contextlib
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


def work(x, steps):
    """Return `x` after so many rounds of arithmetic; |x| stays below 1."""
    for _ in range(steps):
        x = torch.sin(x)
    return x


def lanes(device, count):
    """Return so many streams of the device (None each on the CPU)."""
    if torch.device(device).type == "cuda":
        return [torch.cuda.Stream(device) for _ in range(count)]
    return [None] * count


def on(lane):
    """Return a context in which work goes to the stream `lane`."""
    return torch.cuda.stream(lane) if lane else contextlib.nullcontext()


def pipeline(source, target, chunks, streams, steps, device, mark=None):
    """Copy in, ``work`` and copy out, chunk by chunk; wait for the end.

    source, target  tensors on the host, of one size; pinned ones overlap
    chunks          number of parts, handed to the streams in turn
    streams         what `lanes` returned
    steps           of ``work``, for each chunk
    mark            called as ``mark((stage, chunk))`` when a stage of a
                    chunk (from 1) begins, and with "end" after the last

    Returns `target`.
    """
    mark = mark or (lambda label: None)
    parts = zip(source.chunk(chunks), target.chunk(chunks), strict=True)
    for k, (given, result) in enumerate(parts):
        with on(streams[k % len(streams)]):
            mark(("in", k + 1))
            x = given.to(device, non_blocking=True)
            mark(("work", k + 1))
            y = work(x, steps)
            mark(("out", k + 1))
            result.copy_(y, non_blocking=True)
            mark(("end", k + 1))
    wait(device)
    return target


def forget_pinned(device):
    """Give the pinned memory that nobody uses back to the system.

    PyTorch keeps it for the next tensor, whose pages then need no locking.
    """
    if torch.device(device).type == "cuda":
        torch._C._host_emptyCache()  # its public name is too young


def pin_on_the_way(source, device):
    """Copy to the device through a pinned copy made for the purpose.

    Pinned memory needs a CUDA device; on the CPU this is a plain copy.
    """
    if torch.device(device).type == "cuda":
        source = source.pin_memory()
    found = source.to(device, non_blocking=True, copy=True)
    wait(device)
    return found


def too_early(there, target):
    """Copy to the host without waiting; tell if the last byte was old.

    there, target  tensors of one size, of other bytes than 0
    """
    target.zero_()
    wait(there.device)
    target.copy_(there, non_blocking=True)
    old = int(target[-1]) == 0
    wait(there.device)
    return old


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
