"""Pairs of functions that differ in what sets a problem's pace."""

import functools

import numpy as np

from onthefly.kernels.problems import PROBLEMS
from onthefly.measure import clock


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


PAIRS = {  # {problem: (function of a size and a seed, size)}
    "pi": (_draws, 100_000),
    "polynomial": (_copied, 1_000_000),
    "dot": (_far, 4_000_000),
    "filter": (_chain, 100_000),
    "stencil": (_passes, 100_000),
    "histogram": (_order, 1_000_000),
    "collatz": (_branches, 10_000),
    "words": (_cut, 100_000),
}


def measure(book, name):
    """Measure the pair of a problem, and return its Timings.

    book  page.Chapter
    name  of the problem
    """
    make, size = PAIRS[name]

    def take():
        pair, budget = make(size, book.seed), 0.2 * book.budget
        return clock.measure(pair, budget=budget, seed=book.seed)

    return book.collect(f"{name}, because", take)
