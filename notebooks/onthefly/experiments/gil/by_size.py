"""What functions of a size gain by a second thread, at several sizes."""

import functools

from onthefly import machine
from onthefly.experiments.gil import nogil
from onthefly.quantity import Quantity
from onthefly.tools.threads import together


def profile(ways, sizes, budget, seed=0):
    """Measure each way at each size in one thread and in two.

    ways    {name: function of a size}
    sizes   elements of its arrays
    budget  seconds for all
    seed    of the order within a round

    Returns {"name, size": nogil.Report}, the references at the end.
    """
    calls = {
        _named(name, size): functools.partial(way, size)
        for name, way in ways.items()
        for size in sizes
    }
    return nogil.profile(calls, (1, 2), budget=budget, seed=seed)


def gains(reports, ways, sizes):
    """Return {name: {size: calls of two threads over those of one}}.

    reports  as `profile` returns them for these ways and sizes
    """
    return {
        name: {n: reports[_named(name, n)].speedups[2] for n in sizes}
        for name in ways
    }


def kernel_share(way, size):
    """Return the system's share of the processor time of two threads.

    way   function of a size, which each of them calls
    size  its argument
    """
    both = together(functools.partial(way, size), 2)
    both()  # finds the pages that a thread keeps
    return Quantity.exact(machine.waits(both)[1], "%")


def _named(name, size):
    return f"{name}, {size}"
