"""What each rule is asked: a claim, its truths, and a simulated answer.

A question makes samples of which the truth is known and takes them the way
that measured ones take: Series, Timings, a ratio or a fit or a share, and
`claims.judge`.
"""

import dataclasses
import functools
from collections.abc import Callable

from onthefly import claims, models
from onthefly.quantity import Quantity
from onthefly.timings import Series, Timings
from simulating import noise

ROUNDS = 20
TRIES = 36  # the fewest that show a share of 0.9 where all of them hold
CORES = 2
SIZES = (100, 1000, 10_000, 100_000)
ASIDE = 0.01  # how far "just inside" and "just outside" lie from an edge


@dataclasses.dataclass(frozen=True)
class Question:
    """A rule and what it is tried with.

    expect   the rule, as in the ledger
    answer   function (truth, kind, hits, rng) that returns a Quantity
    edges    truths between two verdicts
    beyond   truths twice as far as an edge, which a quiet machine resolves
    beside   function (edge, sign): a truth just below or above it
    right    function of a truth: the verdicts that are not wrong
    hits     whose samples a noise may hit
    """

    expect: dict
    answer: Callable
    edges: tuple
    beyond: tuple
    beside: Callable = lambda edge, sign: edge * (1 + sign * ASIDE)
    right: Callable | None = None
    hits: tuple = noise.HITS

    @functools.cached_property
    def claim(self):
        """A claim with this rule; the rest is any claim's."""
        known = next(iter(claims.load().claims.values()))
        return dataclasses.replace(known, expect=self.expect)

    def verdict(self, quantity):
        """Return the verdict of the book's own judge."""
        return claims.judge(self.claim, quantity).verdict

    def allowed(self, truth):
        """Return the verdicts that are right where `truth` is true."""
        if self.right:
            return self.right(truth)
        unit = self.expect["unit"]
        return {self.verdict(Quantity.exact(truth, unit))}

    @property
    def truths(self):
        """The truths at the edges, just below and just above them."""
        return [
            truth
            for edge in self.edges
            for truth in (
                self.beside(edge, -1), edge, self.beside(edge, 1)
            )
        ]  # fmt: skip


def _times(names, seconds, kind, hits, rng):
    """Return simulated Timings of one candidate a name or size.

    names    (name, size) of each candidate
    seconds  the true time of each
    """
    found = noise.factors(kind, hits, rng, ROUNDS, len(names))
    others = noise.OTHERS.get(kind, 0.0)
    # What a neighbour slows alone is what lacks the cores that it took.
    several = 0.5 if hits == "one" else 0.0
    return Timings(
        [
            Series(
                *key,
                first=None,
                values=tuple(second * row),
                others=others,
                other_threads=0.0 if k else several,
            )
            for k, (key, second, row) in enumerate(
                zip(names, seconds, found, strict=True)
            )
        ],
        CORES,
    )


def _ratio(truth, kind, hits, rng):
    """Two candidates, of which one is `truth` times as fast."""
    names = [("slow", None), ("fast", None)]
    times = _times(names, (truth * 1e-3, 1e-3), kind, hits, rng)
    return times.ratio("slow", "fast")


def _time(truth, kind, hits, rng):
    """One candidate, which takes `truth` seconds."""
    return _times([("it", None)], [truth], kind, hits, rng).seconds("it")


def _exponent(truth, kind, hits, rng):
    """One candidate whose time grows with the size to the power `truth`."""
    names = [("it", n) for n in SIZES]
    seconds = [1e-6 * n**truth for n in SIZES]
    times = _times(names, seconds, kind, hits, rng)
    return models.power(SIZES, [times.seconds("it", n) for n in SIZES])["b"]


_share = functools.cache(Quantity.share)


def _tries(truth, kind, hits, rng):
    """So many tries, of which a share of `truth` holds."""
    rates = _rates(truth, kind, rng)
    return _share(int((rng.random(TRIES) < rates).sum()), TRIES)


def _rates(truth, kind, rng):
    """Return the chance of each try under a noise; `truth` on average."""
    found = noise.factors(kind, "one", rng, TRIES, 1)[0]
    moved = found / found.mean() - 1
    return truth + min(truth, 1 - truth) * moved / max(1, abs(moved).max())


def _holds(truth):
    """One failure shows that it does not hold each time."""
    if truth >= claims.HOLDS:
        return {"reproduced", "weaker"} if truth < 1 else {"reproduced"}
    return {"weaker"} if truth > 0.5 else {"contradicted"}


def _occurs(truth, least=0.1):
    """Once is enough; less often than said is refuted where none was seen."""
    if truth >= least:
        return {"reproduced"}
    return {"reproduced", "contradicted"} if truth else {"contradicted"}


def _near(value, unit, answer, **more):
    """A `near` and its edges; a ratio also turns round at 1."""
    band = (value / claims.NEAR, value * claims.NEAR)
    far = (value / claims.NEAR**2, value * claims.NEAR**2)
    turn = (1.0,) if unit == "×" else ()
    expect = {"rule": "near", "value": value, "unit": unit}
    return Question(expect, answer, (*turn, *band), (value, *far), **more)


def _bound(rule, value):
    """A bound, and truths beyond it by twice the factor of `near`."""
    far = (value / claims.NEAR**2, value * claims.NEAR**2)
    expect = {"rule": rule, "value": value, "unit": "×"}
    return Question(expect, _ratio, (value,), far)


def _apart(edge, sign):
    """A share just beside another."""
    return edge + sign * ASIDE


QUESTIONS = {
    "near, a ratio": _near(1.8, "×", _ratio),
    "near, a time": _near(0.006, "s", _time, hits=("one",)),
    "equals": Question(
        {"rule": "equals", "value": 1.0, "within": 0.05, "unit": ""},
        _exponent,
        edges=(0.95, 1.05),
        beyond=(1.0, 0.9, 1.1),
    ),
    "at most": _bound("at most", 1.15),
    "at least": _bound("at least", 1.3),
    "holds": Question(
        {"rule": "holds", "unit": "%"},
        _tries,
        edges=(0.5, claims.HOLDS),
        beyond=(1.0, 0.8, 0.0),
        beside=_apart,
        right=_holds,
        hits=("one",),
    ),
    "occurs": Question(
        {"rule": "occurs", "value": 0.1, "unit": "%"},
        _tries,
        edges=(0.1,),
        beyond=(0.2, 0.0),
        beside=_apart,
        right=_occurs,
        hits=("one",),
    ),
}
