"""What each way of a problem is predicted to cost, and which one pays.

A cost is start + first call + calls · (conversion + a + b·n), the last two
in one piece or two; for ways that share their work, by workers.  It comes
from what the page "Eight problems" measured on a machine, and from nothing
else.
"""

import dataclasses
import functools
import math
import statistics

from onthefly import models
from onthefly.experiments.choice.bench import ONE
from onthefly.experiments.choice.problems import KINDS, PROBLEMS
from onthefly.quantity import Quantity

PAGE = "eight-problems"
ONCE = 1.0  # spread of what was read once: good within a factor of two
REACH = 3.2  # times the largest size measured: what lies beyond is a guess
WITHIN = 0.2  # share of a measurement that a prediction may be off
DATA = ("own", "arrays", "lists")  # in the way's own form, or converted


def total(parts):
    """Return the sum of predictions, a Quantity in seconds.

    parts  (seconds, spread) of independent errors
    """
    value = sum(s for s, _ in parts)
    if not value:
        return Quantity.exact(0.0, "s")
    off = math.sqrt(sum((s * spread) ** 2 for s, spread in parts)) / value
    return Quantity(value, value / (1 + off), value * (1 + off), "s")


@dataclasses.dataclass(frozen=True)
class Cost:
    """What a way of a problem costs on a machine.

    loads     seconds of its start: the import, and what starts with it
    first     seconds of the first call
    curve     models.Curve of a call, with all workers
    one       the same with one worker, or None: it takes none
    workers   how many were measured
    """

    loads: float
    first: float
    curve: models.Curve
    one: models.Curve | None
    workers: int

    def call(self, n, workers):
        """Return (seconds, spread) of a call with so many workers.

        What one worker spends beyond many is shared, at best by all; what
        many spend beyond one is the price of each further.
        """
        all_ = self.curve.at(n).value
        if self.one is None or workers == self.workers:
            return all_, self.curve.spread
        one = self.one.at(n).value
        if self.workers == 1 or workers == 1:
            return one, self.one.spread
        spread = self.curve.spread + self.one.spread
        gained = one - all_
        if gained > 0:
            shared = gained / (1 - 1 / self.workers)
            found = one - shared * (1 - 1 / workers)
            return max(found, one / workers), spread
        return one - gained * (workers - 1) / (self.workers - 1), spread


@dataclasses.dataclass(frozen=True)
class Winner:
    """Which way is predicted to be the cheapest.

    way     its name
    rivals  names of those that the intervals do not tell from it
    gain    Quantity: times as fast as plain Python; None: not measured
    lead    Quantity: times as fast as the second; None: there is none
    beyond  whether what is asked lies beyond what was measured of it, or of
            a rival: a larger size, or cores that it does not count
    """

    way: str
    rivals: tuple[str, ...]
    gain: Quantity | None
    lead: Quantity | None
    beyond: bool

    @property
    def resolved(self):
        """Whether it is ahead of all others, at a size that was measured."""
        return not self.rivals and not self.beyond


class Choices:
    """The ways of a problem on a machine, and what each costs.

    problem  a Problem
    found    results.Results of the page that measured them
    """

    def __init__(self, problem, found):
        self.problem, self.found = problem, found
        self.workers = found.machine["cores"]["usable"]
        self._times = found.timings[problem.name]
        curves = _curves(self._times)
        firsts = _once(found.timings[f"{problem.name}, first call"])
        starts = _once(found.timings["starts"]) | {"": 0.0}
        self.costs = {
            way: Cost(
                starts[problem.start(way)],
                firsts[way],
                curves[way],
                curves.get(way + ONE),
                self.workers,
            )
            for way in problem.ways
            if way in curves and problem.start(way) in starts
        }
        self.conversions = _curves(
            found.timings.get(f"{problem.name}, conversion", ())
        )

    def converting(self, way, data):
        """Return the names of the conversions that a way needs.

        From arrays into arrays there is nothing to do.
        """
        form = KINDS[way].form
        if not self.conversions or data in ("own", form):
            return []
        needed = ["from lists"] if data == "lists" else []
        return needed if form == "arrays" else [*needed, f"to {form}"]

    def converts(self, way, data):
        """Tell whether the conversions that a way needs were measured."""
        return self.conversions.keys() >= set(self.converting(way, data))

    def cost(
        self, way, n, *, calls=1, workers=None, data="own", imports=True
    ):
        """Return the predicted seconds of so many calls, a Quantity.

        way      one of `costs`
        n        size of each call
        workers  for ways that share their work; by default all measured
        data     "own": it is in the way's own form; "arrays" or "lists":
                 each call converts its own
        imports  whether the libraries are yet to be imported and started
        """
        found = self.costs[way]
        each = [found.call(n, workers or self.workers)]
        for name in self.converting(way, data):
            curve = self.conversions[name]
            each.append((curve.at(n).value, curve.spread))
        parts = [(calls * s, spread) for s, spread in each]
        loads = found.loads if imports else 0.0
        return total([(loads, ONCE), (found.first, ONCE), *parts])

    def ranked(self, n, *, device=True, **options):
        """Return {way: predicted seconds}, the cheapest first.

        device   whether ways on a device may be chosen
        options  of `cost`
        """
        found = {
            way: self.cost(way, n, **options)
            for way in self.costs
            if (device or not KINDS[way].library)
            and self.converts(way, options.get("data", "own"))
        }
        return dict(sorted(found.items(), key=lambda pair: pair[1].value))

    def longer(self, other, way, n, **options):
        """Return how many times as long another way takes, a Quantity.

        options  of `cost`

        What starts with both is the same, however long it takes.
        """
        best, worse = (self.cost(k, n, **options) for k in (way, other))
        if self.problem.start(way) != self.problem.start(other):
            return worse / best
        options = {**options, "imports": False}
        best_, worse_ = (self.cost(k, n, **options) for k in (way, other))
        return (worse_ - best_) / best + 1

    def winner(self, n, *, device=True, **options):
        """Return the Winner at a size; options as of `ranked`."""
        ranked = self.ranked(n, device=device, **options)
        way, *others = ranked
        near = [k for k in others if ranked[k].low <= ranked[way].high]
        rivals = tuple(
            k for k in near if not self.longer(k, way, n, **options) > 1
        )
        return Winner(
            way,
            rivals,
            gain(ranked, way),
            self.longer(others[0], way, n, **options) if others else None,
            any(
                self.beyond(k, n, options.get("workers"), options.get("data"))
                for k in (way, *rivals)
            ),
        )

    def beyond(self, way, n, workers=None, data=None):
        """Tell whether what is asked lies beyond what was measured of a way.

        n        size of a call
        workers  as in `cost`: a way that takes all cores by itself was
                 measured with all of them alone, and one core does not tell
                 what more would do
        data     as in `cost`
        """
        curves = [self.costs[way].curve]
        curves += [
            self.conversions[k] for k in self.converting(way, data or "own")
        ]
        if any(n > REACH * curve.upto for curve in curves):
            return True
        shares = self.costs[way].one is not None
        if workers in (None, self.workers):
            return False
        return self.problem.takes_all(way) or (shares and self.workers == 1)

    @functools.cached_property
    def unseen(self):
        """[(way, size, predicted, measured)]: sizes that no fit has seen."""
        times = self.found.timings[f"{self.problem.name}, unseen"]
        return [
            (s.name, s.size, self.costs[s.name].curve.at(s.size), measured)
            for s in times
            if s.name in self.costs
            for measured in [times.seconds(s.name, s.size)]
        ]


def gain(ranked, way):
    """Return how many times as fast as plain Python a way is, or None."""
    if "Python" not in ranked:
        return None
    if way == "Python":
        return Quantity.exact(1.0, "×")
    return ranked["Python"] / ranked[way]


def _curves(times):
    """Return {name: models.Curve} of those with enough sizes."""
    found = {}
    for name in times.names if times else ():
        sizes = times.sizes(name)
        if len(sizes) >= models.LEAST:
            seconds = [times.seconds(name, n) for n in sizes]
            found[name] = models.curve(sizes, seconds)
    return found


def _once(times):
    """Return {name: seconds} of what was read once, or a few times."""
    return {s.name: statistics.median(s.values) for s in times}


def choices(found):
    """Return {name of a problem: Choices} of a page's Results."""
    return {
        name: Choices(problem, found)
        for name, problem in PROBLEMS.items()
        if name in found.timings
    }


def hits(every, sharp=False):
    """Return the share of predictions that came true, a Quantity.

    every  Choices
    sharp  counts those alone whose own measurement is known as well: both
           ends of its interval lie within WITHIN of it

    True is one that is off by WITHIN at most.
    """
    came = [
        _near(predicted.value, measured.value)
        for one in every
        for _, _, predicted, measured in one.unseen
        if not sharp
        or (
            _near(measured.low, measured.value)
            and _near(measured.high, measured.value)
        )
    ]
    return _share(came)


def _near(found, measured):
    return abs(found / measured - 1) <= WITHIN


def _share(came):
    """Return which share of some booleans is true; of none, anything."""
    if not came:
        return Quantity(0.0, 0.0, 1.0, "%", "0 of 0")
    return Quantity.share(sum(came), len(came))


def tests(every):
    """Return a row for each problem: how its predictions came out.

    every  {name of a problem: Choices}
    """
    rows = []
    for name, one in every.items():
        off = {
            (way, n): predicted.value / measured.value
            for way, n, predicted, measured in one.unseen
        }
        way, n = max(off, key=lambda k: abs(math.log(off[k])))
        rows.append(
            {
                "problem": name,
                "within a fifth": hits([one]).note,
                "winner right": right([one]).note,
                "furthest off": f"{way} at {n:,}",
                "predicted / measured": f"{off[way, n]:.2f}",
            }
        )
    return rows


def right(every):
    """Return the share of cases in which the predicted winner won.

    every   Choices

    A case is a problem and a size at which the two best, as measured, differ
    by more than a fifth.
    """
    won = []
    for one in every:
        sizes = sorted({n for _, n, _, _ in one.unseen})
        for size in sizes:
            at = [row for row in one.unseen if row[1] == size]
            measured = sorted((m.value, way) for way, _, _, m in at)
            (best, way), *others = measured
            if others and others[0][0] > (1 + WITHIN) * best:
                _, predicted = min((p.value, way) for way, _, p, _ in at)
                won.append(predicted == way)
    return _share(won)
