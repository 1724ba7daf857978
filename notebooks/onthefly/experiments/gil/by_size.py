"""What functions of a size gain by a second thread, at several sizes."""

import functools

from onthefly.measure import machine, nogil
from onthefly.tools.threads import together


def measure(ways, sizes, budget, seed=0):
    """Measure each way at each size in one thread and in two.

    ways    {name: function of a size}
    sizes   elements of its arrays
    budget  seconds for all
    seed    of the order within a round

    Returns the Samples of calls "NAME, SIZE", as `nogil.measure` does.
    """
    calls = {
        _named(name, size): functools.partial(way, size)
        for name, way in ways.items()
        for size in sizes
    }
    return nogil.measure(calls, (1, 2), budget=budget, seed=seed)


def gains(times, cores, ways, sizes):
    """Return {name: {size: calls of two threads over those of one}}.

    times  Timings of what `measure` measured for these ways and sizes
    cores  that the machine may use
    """
    reports = nogil.reports(times, cores)
    return {
        name: {n: reports[_named(name, n)].speedups[2] for n in sizes}
        for name in ways
    }


def kernel_share(way, size):
    """Return the system's share, 0 to 1, of two threads' processor time.

    way   function of a size, which each of them calls
    size  its argument
    """
    both = together(functools.partial(way, size), 2)
    both()  # finds the pages that a thread keeps
    return machine.waits(both)[1]


def _named(name, size):
    return f"{name}, {size}"
