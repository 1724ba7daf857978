"""The device's part of the chapter on copies, as measurements.

Each returns Timings and takes the place: "cuda", or "cpu", where the same
code runs and measures nothing but itself.  `how` goes to ``clock.measure``.
All is PyTorch's here; what CuPy fetches stands in fetch_trials.

Sources: Okuda, PyCon JP 2018, slides 32 to 34; Okuda, TFUG 2018, slides 14
and 20.
"""

import functools

from onthefly.kernels.copy import copy_torch
from onthefly.kernels.copy.copy_torch import torch
from onthefly.measure.clock import measure

MEMORIES = ("pageable", "pinned")


def _pinned(memory, place):
    """Tell whether to lock the pages; the CPU has no such memory."""
    return memory == "pinned" and place != "cpu"


def _of(arguments, call):
    """Return call(n), which calls with the arguments kept for n."""
    return lambda n: call(*arguments[n])


def both_ways(place, sizes, **how):
    """Time copies in and out of `sizes` bytes, in both kinds of memory."""
    ways = {}
    for memory in MEMORIES:
        made = {
            n: copy_torch.pair(n, place, _pinned(memory, place))
            for n in sizes
        }
        back = {n: (there, here) for n, (here, there) in made.items()}
        ways[f"in, {memory}"] = _of(made, copy_torch.copy_in)
        ways[f"out, {memory}"] = _of(back, copy_torch.copy_out)
    return measure(ways, sizes=sizes, **how)


def by_numpy(sizes, seed=0):
    """Return {operation: call(numbers)} by NumPy, for the processor alone.

    sizes  numbers of the argument, which are squares
    """
    given = {
        name: {n: (copy_torch.operand(name, n, seed),) for n in sizes}
        for name in copy_torch.OPERATIONS
    }
    return {
        name: _of(given[name], operation[0])
        for name, operation in copy_torch.OPERATIONS.items()
    }


def operations(place, sizes, seed=0, **how):
    """Time each operation by NumPy, on the device, and the whole way.

    Series "<operation>, <NumPy, resident or there and back>", against the
    numbers of the argument, which are squares.
    """
    ways = {}
    for name, (by_numpy, by_torch, *_) in copy_torch.OPERATIONS.items():
        given = {n: (copy_torch.operand(name, n, seed),) for n in sizes}
        there = {
            n: (torch.from_numpy(array).to(place),)
            for n, (array,) in given.items()
        }
        away = functools.partial(copy_torch.there_and_back, name)
        sent = {n: (array, place) for n, (array,) in given.items()}
        ways[f"{name}, NumPy"] = _of(given, by_numpy)
        ways[f"{name}, resident"] = _of(there, by_torch)
        ways[f"{name}, there and back"] = _of(sent, away)
    return measure(ways, sizes=sizes, **how)


def tried(place, sizes, seed=0, **how):
    """Time NumPy against the whole way, each operation at a size of its own.

    sizes  {operation: numbers}

    Series of no size, "<operation>, <NumPy or there and back>".
    """
    ways = {}
    for name, size in sizes.items():
        given = copy_torch.operand(name, size, seed)
        by_numpy = copy_torch.OPERATIONS[name][0]
        ways[f"{name}, NumPy"] = functools.partial(by_numpy, given)
        ways[f"{name}, there and back"] = functools.partial(
            copy_torch.there_and_back, name, given, place
        )
    return measure(ways, **how)
