"""Runs whose truth is known, judged as measured ones are.

A question makes samples from a truth and a noise and takes them the way that
measured ones take: Series, Timings, a ratio or a fit, and `claims.judge`.
The interval of a share is exact, and needs none.
"""

import dataclasses
import functools
import zlib
from collections.abc import Callable

import numpy as np

from onthefly.measure import models
from onthefly.measure.quantity import Quantity
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings
from onthefly.page import claims

ROUNDS = 20
CORES = 2
SIZES = (100, 1000, 10_000, 100_000)
ASIDE = 0.01  # how far "just inside" and "just outside" lie from an edge
QUIET = 0.02  # the spread of each sample on a machine that does nothing else

# {name: function (rng, rounds) that returns a factor for each round}.
NOISE = {
    "quiet": lambda rng, rounds: np.ones(rounds),
    "spread": lambda rng, rounds: np.exp(rng.normal(0, 0.2, rounds)),
    # One sample in thirty takes two to ten times as long.
    "spikes": lambda rng, rounds: np.where(
        rng.random(rounds) < 1 / 30, rng.uniform(2, 10, rounds), 1.0
    ),
    # The machine changes its speed by three quarters in all.
    "drift": lambda rng, rounds: np.exp(
        rng.choice([-1, 1]) * np.linspace(-0.28, 0.28, rounds)
    ),
    # Others take one core, and up to two thirds of the time.
    "load on one core": lambda rng, rounds: rng.uniform(1, 3, rounds),
    # Long samples wait, short ones fit in between.
    "load on all cores": lambda rng, rounds: rng.uniform(2, 4, rounds),
}
# Cores that others use, of CORES.
LOAD = {"load on one core": 1.0, "load on all cores": 1.7}
HITS = ("both", "each", "one")


def factors(kind, hits, rng, rounds, candidates):
    """Return the factors of each candidate, an array (candidates, rounds).

    kind  a name of `NOISE`
    hits  "both": a round's factor is that of all its samples; "each": each
          sample has its own; "one": the first candidate's samples alone
    """
    quiet = np.exp(rng.normal(0, QUIET, (candidates, rounds)))
    take = NOISE[kind]
    if hits == "both":
        return quiet * take(rng, rounds)
    for row in quiet if hits == "each" else quiet[:1]:
        row *= take(rng, rounds)
    return quiet


@dataclasses.dataclass(frozen=True)
class Question:
    """A rule and what it is tried with.

    expect   the rule, as in the ledger
    answer   function (truth, kind, hits, rng) that returns a Quantity
    edges    truths between two verdicts
    beyond   truths twice as far as an edge, which a quiet machine resolves
    """

    expect: dict
    answer: Callable
    edges: tuple
    beyond: tuple

    @functools.cached_property
    def claim(self):
        """A claim with this rule; the rest is any claim's."""
        known = next(iter(claims.load().claims.values()))
        return dataclasses.replace(known, expect=self.expect)

    def verdict(self, quantity):
        """Return the verdict of the book's own judge."""
        return claims.judge(self.claim, quantity).verdict

    def near_edges(self):
        """Return the edges, and truths just below and just above them."""
        return [
            edge * (1 + step * ASIDE)
            for edge in self.edges
            for step in (-1, 0, 1)
        ]

    def tried(self, truth, kind, hits, runs):
        """Return the shares of wrong and of right verdicts of so many runs.

        What is not resolved is neither.  The same runs each time.
        """
        text = f"{self.expect} {truth} {kind} {hits}"
        rng = np.random.default_rng(zlib.crc32(text.encode()))
        exact = Quantity.exact(truth, self.expect["unit"])
        verdicts = [
            self.verdict(self.answer(truth, kind, hits, rng))
            for _ in range(runs)
        ]
        right = verdicts.count(self.verdict(exact))
        unresolved = verdicts.count(claims.UNRESOLVED)
        return (runs - right - unresolved) / runs, right / runs


def _timings(names, seconds, kind, hits, rng):
    """Return simulated Timings of one candidate a name or size.

    names    (name, size) of each candidate
    seconds  the true time of each
    """
    rows = factors(kind, hits, rng, ROUNDS, len(names))
    # What others slow alone is what lacks the cores that they took.
    parallel = 0.5 if hits == "one" else 0.0
    return Timings(
        [
            Series(
                *name,
                first=None,
                values=tuple(second * row),
                others=LOAD.get(kind, 0.0),
                other_threads=0.0 if number else parallel,
            )
            for number, (name, second, row) in enumerate(
                zip(names, seconds, rows, strict=True)
            )
        ],
        CORES,
    )


def _ratio(truth, *noise):
    """Two candidates, of which one is `truth` times as fast."""
    names = [("slow", None), ("fast", None)]
    timings = _timings(names, (truth * 1e-3, 1e-3), *noise)
    return timings.ratio("slow", "fast")


def _exponent(truth, *noise):
    """One candidate whose time grows with the size to the power `truth`."""
    names = [("it", n) for n in SIZES]
    timings = _timings(names, [1e-6 * n**truth for n in SIZES], *noise)
    times = [timings.seconds("it", n) for n in SIZES]
    return models.power(SIZES, times)["b"]


def _far(value):
    """Return truths as far from a value as twice the factor of `near`."""
    return value / claims.NEAR**2, value * claims.NEAR**2


def _near(value):
    """A ratio near a value; at 1 it turns round."""
    expect = {"rule": "near", "value": value, "unit": "×"}
    edges = (value / claims.NEAR, value * claims.NEAR, 1.0)
    return Question(expect, _ratio, edges, (value, *_far(value)))


def _bound(rule, value):
    """A bound of a ratio."""
    expect = {"rule": rule, "value": value, "unit": "×"}
    return Question(expect, _ratio, (value,), _far(value))


QUESTIONS = {
    "near": _near(1.8),
    "equals": Question(
        {"rule": "equals", "value": 1.0, "within": 0.05, "unit": ""},
        _exponent,
        edges=(0.95, 1.05),
        beyond=(1.0, 0.9, 1.1),
    ),
    "at most": _bound("at most", 1.15),
    "at least": _bound("at least", 1.3),
}
