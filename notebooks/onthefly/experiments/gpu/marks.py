"""When copies and work on a device begin and end: events and clocks.

On the CPU, where nothing is queued, the clock stands for the events.
"""

import time

import torch

from onthefly.kernels.copy_torch import wait, work


class Marks:
    """Points in time on a device: CUDA events, on the CPU the clock.

    Calling it marks the current stream's place; `seconds` waits, then tells
    how long after the first mark each was reached.
    """

    def __init__(self, device):
        self._device = torch.device(device)
        self._found = {}

    def __call__(self, label):
        if self._device.type == "cuda":
            point = torch.cuda.Event(enable_timing=True)
            point.record()  # on the current stream
        else:
            point = time.perf_counter()
        self._found[label] = point

    def seconds(self):
        """Return {label: seconds since the first mark}."""
        wait(self._device)
        start = next(iter(self._found.values()))
        if self._device.type == "cuda":
            return {k: start.elapsed_time(p) / 1e3
                    for k, p in self._found.items()}  # fmt: skip
        return {k: p - start for k, p in self._found.items()}


def balance(source, device):
    """Return how many rounds of ``work`` take as long as a copy of `source`.

    source  a tensor on the host, pinned where the device is a GPU
    """
    work(source.to(device), 4)  # the first call loads and allocates
    mark = Marks(device)
    mark("copy")
    x = source.to(device, non_blocking=True)
    mark("work")
    work(x, 4)
    mark("end")
    at = mark.seconds()
    copied, worked = at["work"] - at["copy"], at["end"] - at["work"]
    return max(1, round(4 * copied / worked))


def returns(source, target):
    """Copy without waiting; return when the call returned, and was done.

    Both in seconds after the start.
    """
    device = target.device if target.is_cuda else source.device
    wait(device)
    start = time.perf_counter()
    target.copy_(source, non_blocking=True)
    returned = time.perf_counter() - start
    wait(device)
    return returned, time.perf_counter() - start
