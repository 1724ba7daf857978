"""Are two results the same, and those of one and of many threads?"""

import contextlib
import pickle
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from onthefly.measure.quantity import Quantity

SAME, CLOSE = "the same", "close"  # but for rounding
ROUNDING = 1e-9  # relative: sums in another order, and no other result
CALLS = 500  # that each thread makes at most


def difference(result, expected):
    """Return SAME, CLOSE, or how a result differs."""
    if _equal(result, expected):
        return SAME
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        a, b = (np.asarray(v).astype(complex) for v in (result, expected))
        if a.shape == b.shape and np.allclose(a, b, ROUNDING, 0, True):
            return SAME if np.array_equal(a, b) else CLOSE
    if isinstance(expected, int) and abs(expected) >= 2**63:
        return "an integer of more than 64 bits wraps"
    return f"{_cut(result)} in place of {_cut(expected)}"


def incomparable(results):
    """Return why two results of the same call are no measure, or ""."""
    first, again = results
    if first is None:
        return "it returns nothing: not comparable"
    if difference(again, first) != SAME:
        return "it gets another result at each call: not comparable"
    return ""


def _equal(a, b):
    # A type of the user's may raise anything here.
    with contextlib.suppress(Exception):
        if type(a) is type(b) and (a == b) is True:
            return True
    with contextlib.suppress(Exception):
        return pickle.dumps(a) == pickle.dumps(b)
    return False


def _cut(value, most=40):
    text = " ".join(repr(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def in_threads(call, size, threads, seconds):
    """Return how one thread's results compare with many threads', in words.

    call     function of a size
    threads  how many call at once, and take turns as often as they can
    """
    expected = call(size)
    if why := incomparable((expected, call(size))):
        return why
    until = time.perf_counter() + seconds
    calls = differ = 0
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(threads) as pool:
            while calls < CALLS * threads:
                results = [*pool.map(call, [size] * 4 * threads)]
                calls += len(results)
                differ += sum(difference(r, expected) != SAME
                              for r in results)  # fmt: skip
                if time.perf_counter() > until:
                    break
    finally:
        sys.setswitchinterval(interval)
    part = Quantity.share(differ, calls)
    head = (
        "NOT SAFE: not the same in one and in many threads"
        if differ
        else "the same in one and in many threads, as far as tried"
    )
    return (
        f"{head}: {differ:,} of {calls:,} calls in {threads} threads differ "
        f"at n = {size:,} ({part.interval} %); what it changes elsewhere was "
        "not looked at"
    )
