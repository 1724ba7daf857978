"""How many processors a call keeps busy."""

import functools
import time

from onthefly.measure import clock


def clocks(call):
    """Return the seconds of a call: of the clock, and of all processors."""
    used = time.process_time()
    taken = clock.seconds(call)
    return {"clock": taken, "processor": time.process_time() - used}


def sampler(call, *arguments):
    """Return a sampler of a call's clocks: see `clocks`, `clock.sample`."""
    return functools.partial(clocks, functools.partial(call, *arguments))
