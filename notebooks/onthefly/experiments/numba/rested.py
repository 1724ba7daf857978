"""Calls that begin when no thread of this process works any more.

Threads that wait for the next parallel loop may wait awake, on cores of
their own, for milliseconds after the last.  What is timed then runs beside
them: two ways to use all cores would disturb each other.
"""

import time

from onthefly.measure import clock

STEP = 0.003  # seconds of a look, about a turn of Linux's scheduler
LOOKS = 2  # in a row: a thread that waits for a core looks idle for a turn
IDLE = 0.1  # of a processor: below it, nothing works but the look itself
MOST = 0.1  # seconds to wait at most


def settle(step=STEP, most=MOST):
    """Wait until this process is idle; return the seconds that took.

    step  seconds from look to look at its processor time
    most  seconds to wait, where it never is
    """
    start, quiet = time.monotonic(), 0
    while (waited := time.monotonic() - start) < most and quiet < LOOKS:
        before = time.process_time()
        time.sleep(step)
        idle = time.process_time() - before < IDLE * step
        quiet = quiet + 1 if idle else 0
    return waited


def in_a_row(function, *given, least=0.003):
    """Return a sampler of calls that follow each other.

    function  called with what is given, and the size where there is one
    given     arguments of every call
    least     seconds that a sample lasts at least

    The sampler returns the seconds of a call, as `Chapter.sample` wants it.
    What the first of the calls alone pays, as to wake threads, is not in it.
    """

    def sample(*size):
        settle()
        function(*given, *size)
        calls = 1
        taken = clock.seconds(function, *given, *size)
        while taken * calls < least:
            calls *= 4
            taken = clock.seconds(function, *given, *size, calls=calls)
        return taken

    return sample


def after_a_pause(function, *given):
    """Return a sampler of single calls, each from a process at rest."""

    def sample(*size):
        settle()
        return clock.seconds(function, *given, *size)

    return sample


def ahead_from(times, slow, fast):
    """Return the size from which one candidate is ahead of another.

    times       Timings with sizes
    slow, fast  names of candidates, measured at the same sizes

    The smallest size measured from which on `fast` is faster at every size,
    as the intervals decide; None where there is no such size.
    """
    smallest = None
    for size in reversed(times.sizes(fast)):
        if not times.ratio(slow, fast, size) > 1:
            break
        smallest = size
    return smallest
