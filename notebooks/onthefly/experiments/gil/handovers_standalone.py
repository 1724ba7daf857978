"""Does a function let go of the GIL?  Count the hand-overs.

Stand-alone: runs under any Python from 3.6.  Source of the question: Okuda,
PyCon JP 2018, slides 41 to 44.
"""

import sys
import threading
import time

FOREVER = 100.0  # seconds; no thread is ever asked to let go meanwhile


def handovers(call, calls=1):
    """Count how often another thread gets the GIL during some calls.

    call   function without arguments
    calls  how often it is called

    The switch interval is set so long that the interpreter asks nobody for
    the GIL: the other thread runs only if the call lets go by itself.
    Returns a dict: ticks (hand-overs), held (the longest stretch without one
    as a share of the whole, 1 where there is none), seconds (of a call).
    """
    times, stop = [], threading.Event()

    def witness():
        while not stop.is_set():
            times.append(time.perf_counter())
            time.sleep(0)  # lets go, and asks again

    before = sys.getswitchinterval()
    thread = threading.Thread(target=witness)
    call()
    sys.setswitchinterval(FOREVER)
    try:
        thread.start()
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        end = time.perf_counter()
    finally:
        sys.setswitchinterval(before)
        stop.set()
        thread.join()
    inside = [t for t in times if begin < t < end]
    marks = [begin] + inside + [end]
    longest = max(b - a for a, b in zip(marks, marks[1:]))
    return {
        "ticks": len(inside),
        "held": longest / (end - begin),
        "seconds": (end - begin) / calls,
    }


def released(call, seconds=0.01, tries=3):
    """Return the most hand-overs of a call in some tries, each that long.

    One try may meet a moment in which the system runs no other thread.
    """
    fastest = min(_timed(call) for _ in range(tries))
    calls = int(seconds / fastest) + 1
    return max(handovers(call, calls)["ticks"] for _ in range(tries))


def _timed(call):
    start = time.perf_counter()
    call()
    return max(time.perf_counter() - start, 1e-7)


def onset(make, lower, upper, calls, tries=3):
    """Return the smallest size at which a function lets go of the GIL.

    make          function of a size that returns the function to call
    lower, upper  sizes: at the first it holds, at the second it lets go
    calls, tries  calls in a trial, and trials, in which none must let go

    Halves the range, so that it assumes one onset.  Returns None where the
    ends are not as said.
    """

    def lets_go(size):
        call = make(size)
        return any(handovers(call, calls)["ticks"] for _ in range(tries))

    if lets_go(lower) or not lets_go(upper):
        return None
    while upper - lower > 1:
        middle = (lower + upper) // 2
        if lets_go(middle):
            upper = middle
        else:
            lower = middle
    return upper
