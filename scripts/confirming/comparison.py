"""Does a function return the same in one and in many threads?"""

import dataclasses
import pickle
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from confirming.errors import one_line

CLOSE = 1e-9  # relative: rounding, and no other result


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Whether threads got what one thread gets, for the same argument.

    kind    "same", "differs", "raises", "random" (one thread's own results
            differ already), "none" (it returns None), "opaque" (results
            that cannot be compared)
    size    the argument; `calls` in `threads` threads, of which `differ` did
    detail  what was raised
    """

    kind: str
    size: int
    calls: int = 0
    differ: int = 0
    threads: int = 0
    detail: str = ""


def same(a, b):
    """Tell whether two results are the same; None where nobody can tell."""
    if type(a) is not type(b):
        return False
    try:
        equal = a == b
        if isinstance(equal, bool) and equal:
            return True
    except Exception:  # a type of the user's may raise anything here
        equal = None
    try:
        if pickle.dumps(a) == pickle.dumps(b):
            return True
    except Exception:
        return False if isinstance(equal, bool) and _compares(a) else None
    return False


def _compares(value):
    """Tell whether a type compares by value, not by identity."""
    return type(value).__eq__ is not object.__eq__


def difference(result, expected):
    """Return "same", "close", "opaque", or how a result differs.

    "close" are numbers apart by rounding, as by sums in another order.
    """
    equal = same(result, expected)
    if equal:
        return "same"
    if equal is None:
        return "opaque"
    import numpy as np

    try:
        a, b = np.asarray(result), np.asarray(expected)
        if a.shape == b.shape and np.allclose(
            a.astype(complex), b.astype(complex), CLOSE, 0, equal_nan=True
        ):
            return "same" if np.array_equal(a, b) else "close"
    except (TypeError, ValueError, OverflowError):  # no numbers
        pass
    if isinstance(expected, int) and abs(expected) >= 2**63:
        return "an integer of more than 64 bits wraps"
    return f"{_cut(result)} in place of {_cut(expected)}"


def _cut(value, most=24):
    text = " ".join(repr(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def compare(calls, alone, threads, budget):
    """Return the Comparison of one thread's results with many threads'.

    calls    the Calls of a function
    alone    {size: seconds of a call}
    threads  how many call at once
    budget   seconds
    """
    fit = [n for n in alone if alone[n] * 40 <= budget]
    size = max(fit) if fit else min(alone)
    function = calls.call
    expected = function(size)
    if expected is None:
        return Comparison("none", size)
    until = time.perf_counter() + budget / 2
    for _ in range(30):
        repeated = same(function(size), expected)
        if repeated is not True:
            kind = "opaque" if repeated is None else "random"
            name = type(expected).__name__
            return Comparison(kind, size, detail=name)
        if time.perf_counter() > until:
            break
    return _in_threads(function, size, expected, threads, budget / 2)


def _in_threads(function, size, expected, threads, seconds):
    """Call in threads that take turns as often as they can."""
    until = time.perf_counter() + seconds
    start = threading.Barrier(threads)

    def work():
        start.wait()
        calls = differ = 0
        while calls < 500 and (not calls or time.perf_counter() < until):
            calls += 1
            differ += not same(function(size), expected)
        return calls, differ

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(threads) as pool:
            jobs = [pool.submit(work) for _ in range(threads)]
        counts = [job.result() for job in jobs]
    except Exception as error:
        return Comparison(
            "raises", size, threads=threads, detail=one_line(error)
        )
    finally:
        sys.setswitchinterval(interval)
    calls, differ = map(sum, zip(*counts, strict=True))
    kind = "differs" if differ else "same"
    return Comparison(kind, size, calls, differ, threads)
