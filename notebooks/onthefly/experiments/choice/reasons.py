"""Why the fastest way of a problem is as fast as it is, and no faster.

Each reason rests on one comparison: a pair of functions that differ in what
is said to be the cause.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from onthefly.experiments.choice.problems import PROBLEMS


@dataclass(frozen=True)
class Reason:
    """A cause, and the comparison that shows it.

    pair    function (n, seed) -> {name: function without arguments} of two
    size    size of the comparison
    short   what is concluded, a sentence
    says    the same with its number; {ratio} is how many times as long the
            first takes as the second
    holds   function of the ratio, a Quantity: the Comparison that must hold
    page    slug of the page that says more
    """

    pair: Callable
    size: int
    short: str
    says: str
    holds: Callable
    page: str

    def ratio(self, times):
        """Return how many times as long the first takes as the second.

        times  Timings of the pair
        """
        slow, fast = times.names
        return times.ratio(slow, fast)

    def sentence(self, times):
        """Return the conclusion with its number; "" where it does not hold.

        times  Timings of the pair
        """
        ratio = self.ratio(times)
        return self.says.format(ratio=ratio) if self.holds(ratio) else ""


def _result(problem, variant, n, seed):
    """Return a function that runs a variant on arrays of size n."""
    function = PROBLEMS[problem].function(variant)
    return functools.partial(function, *PROBLEMS[problem].data(n, seed))


def _draws(n, seed):
    rng = np.random.default_rng(seed)

    def two_draws():
        rng.random(n), rng.random(n)

    return {"all of it": _result("pi", "NumPy", n, seed), "draws": two_draws}


def _copied(n, seed):
    (x,) = PROBLEMS["polynomial"].data(n, seed)
    return {
        "compiled loop": _result("polynomial", "Numba", n, seed),
        "copy": x.copy,
    }


FEW = 10_000  # numbers that stay in the cache


def _far(n, seed):
    x, y = PROBLEMS["dot"].data(n, seed)
    near = functools.partial(np.dot, x[:FEW], y[:FEW])

    def as_many():
        for _ in range(n // FEW):
            near()

    return {
        "from memory": functools.partial(np.dot, x, y),
        "from the cache": as_many,
    }


def _unchained(x):
    y = np.empty_like(x)
    y[0] = 0.1 * x[0]
    for k in range(1, len(x)):
        y[k] = 0.9 * x[k - 1] + 0.1 * x[k]
    return y


def _chain(n, seed):
    from numba import njit

    (x,) = PROBLEMS["filter"].data(n, seed)
    return {
        "each waits": _result("filter", "Numba", n, seed),
        "none waits": functools.partial(njit(_unchained), x),
    }


def _passes(n, seed):
    return {
        "whole arrays": _result("stencil", "NumPy", n, seed),
        "one loop": _result("stencil", "Numba", n, seed),
    }


def _order(n, seed):
    values, bins = PROBLEMS["histogram"].data(n, seed)
    count = PROBLEMS["histogram"].function("Numba")
    return {
        "random order": functools.partial(count, values, bins),
        "sorted": functools.partial(count, np.sort(values), bins),
    }


def _branches(n, seed):
    return {
        "whole arrays": _result("collatz", "NumPy", n, seed),
        "one loop": _result("collatz", "Numba", n, seed),
    }


def _cut(n, seed):
    (text,) = PROBLEMS["words"].data(n, seed)
    return {
        "all of it": _result("words", "routine", n, seed),
        "cutting the text": text.split,
    }


REASONS = {
    "pi": Reason(
        _draws,
        100_000,
        "The random numbers are most of the work.",
        "The random numbers are most of the work: all of it takes {ratio} as "
        "long as NumPy's two draws alone.",
        lambda ratio: ratio < 2,
        "all-the-ways",
    ),
    "polynomial": Reason(
        _copied,
        1_000_000,
        "Memory sets the pace.",
        "Memory sets the pace: the compiled loop takes {ratio} as long as a "
        "mere copy into a new array.",
        lambda ratio: ratio < 2,
        "the-roof",
    ),
    "dot": Reason(
        _far,
        4_000_000,
        "Memory sets the pace of a long sum.",
        "Memory sets the pace: np.dot of long arrays takes {ratio} as long "
        "as that of as many numbers that stay in the cache.",
        lambda ratio: ratio > 1.2,
        "the-roof",
    ),
    "filter": Reason(
        _chain,
        100_000,
        "Each element waits for the one before.",
        "Each element waits for the one before: the same loop without the "
        "chain is {ratio} as fast.",
        lambda ratio: ratio > 1.2,
        "what-kind-of-loop",
    ),
    "stencil": Reason(
        _passes,
        100_000,
        "Operations on whole arrays walk through memory once more each.",
        "Each operation on whole arrays walks through memory once more: it "
        "takes {ratio} as long as one loop that does all of them.",
        lambda ratio: ratio > 1.2,
        "case-the-jump",
    ),
    "histogram": Reason(
        _order,
        1_000_000,
        "Each count waits for its own place in memory.",
        "Each count waits for its own place in memory: with the same numbers "
        "sorted, the loop is {ratio} as fast.",
        lambda ratio: ratio > 1.2,
        "what-kind-of-loop",
    ),
    "collatz": Reason(
        _branches,
        10_000,
        "Each step is several passes over all elements that are left.",
        "For whole arrays each step is several passes over all elements that "
        "are left: they take {ratio} as long as a loop in which each element "
        "is followed to its end.",
        lambda ratio: ratio > 2,
        "what-kind-of-loop",
    ),
    "words": Reason(
        _cut,
        100_000,
        "More than a quarter of the time goes into making the strings.",
        "Before a word can be counted it has to be a string: all of it takes "
        "{ratio} as long as cutting the text alone.",
        lambda ratio: ratio < 4,
        "what-kind-of-loop",
    ),
}


def measure(book, name):
    """Measure the comparison behind a problem's reason, and keep it.

    book  page.Chapter
    name  of the problem

    Returns the Timings of the pair.
    """
    reason = REASONS[name]
    pair = reason.pair(reason.size, book.seed)
    return book.measure(f"{name}, because", pair, share=0.2)
