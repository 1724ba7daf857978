"""What each variant of a problem is predicted to cost, and which one pays.

A cost is start + first call + calls · (conversion + call), the last two
`models.curve`s; for variants that share their work, by workers.  It comes
from what the page "Eight problems" measured on a machine, and from nothing
else.  How far a part may be off is what its kind missed by where it was left
out (`left_out`); a kind that was not tested has no interval.
"""

import dataclasses
import functools
import itertools
import math
import statistics

from onthefly.kernels.methods import KINDS, ONE
from onthefly.kernels.problems import PROBLEMS
from onthefly.measure import models
from onthefly.measure.quantity import Quantity
from onthefly.predict import left_out
from onthefly.predict.left_out import WITHIN

PAGE = "eight-problems"
ONCE = 1.0  # spread taken for what was not tested: a factor of two
NEGLIGIBLE = 0.01  # share of a time that no digit shows: two are shown
REACH = 3.2  # times the largest size measured: what lies beyond is a guess
FARTHEST = 2  # times the cores measured: of more, nothing is predicted
DATA = ("own", "arrays", "lists")  # in the variant's own form, or converted
# Kinds of parts that may not have been tested, see `untested`.
IMPORTS = "imports"
FIRST = "first calls"
LARGER = "sizes beyond those measured"
CORES = "other numbers of cores"


@dataclasses.dataclass(frozen=True)
class Part:
    """A part of a predicted time.

    seconds   of it
    spread    how far it may be off, a share of it
    untested  its kind, where no test says so: then the spread is assumed;
              otherwise ""
    """

    seconds: float
    spread: float
    untested: str = ""


def total(parts):
    """Return the sum of Parts, a Quantity in seconds.

    Its note has the kinds that are `untested`: then the ends are no interval,
    and only tell which methods to call close.  A part that is NEGLIGIBLE
    does not count.
    """
    value = sum(part.seconds for part in parts)
    if not value:
        return Quantity.exact(0.0, "s")
    off = math.hypot(*(part.seconds * part.spread for part in parts)) / value
    kinds = dict.fromkeys(
        part.untested
        for part in parts
        if part.untested and part.seconds > NEGLIGIBLE * value
    )
    note = "; ".join(kinds)
    return Quantity(value, value / (1 + off), value * (1 + off), "s", note)


def untested(predicted):
    """Return the kinds of parts that nothing tested, a list.

    predicted  Quantity, as `Choices.cost` returns, or a ratio of such
    """
    return predicted.note.split("; ") if predicted.note else []


@dataclasses.dataclass(frozen=True)
class Cost:
    """What a variant of a problem costs on a machine.

    loads     seconds of its start: the import, and what starts with it
    first     seconds of the first call
    all_      models.Curve of a call, with all workers
    one       the same with one worker, or None: it takes none
    workers   how many were measured
    """

    loads: float
    first: float
    all_: models.Curve
    one: models.Curve | None
    workers: int

    def call(self, workers):
        """Return the models.Curve of a call with so many workers.

        Of more than FARTHEST times those measured, as with just so many.
        """
        workers = min(workers, FARTHEST * self.workers)
        if self.one is None or workers == self.workers:
            return self.all_
        if 1 in (workers, self.workers):
            return self.one
        return _shared(self.one, self.all_, self.workers, workers)


@functools.cache
def _shared(one, many, measured, workers):
    """Return the Curve of a call that some workers share.

    one, many  Curves with one worker, and with as many as were measured

    What one worker spends beyond many is shared, at best by all; what many
    spend beyond one is the price of each further.
    """
    share = (1 - 1 / workers) / (1 - 1 / measured)
    price = (workers - 1) / (measured - 1)
    pieces, start = [], 0.0
    for end in sorted({end for end, *_ in (*one.pieces, *many.pieces)}):
        lines = [
            _mixed(one.line(end), many.line(end), share),
            _mixed(one.line(end), many.line(end), price),
            tuple(x / workers for x in one.line(end)),
        ]
        for stop in (*_crossings(lines, start, end), end):
            n = 2 * start + 1 if stop == math.inf else (start + stop) / 2
            shared, priced, least = ((a + b * n, a, b) for a, b in lines)
            gains = one.at(n).value > many.at(n).value
            _, *line = max(shared, least) if gains else priced
            if pieces and pieces[-1][1:] == tuple(line):
                del pieces[-1]  # it goes on
            pieces.append((stop, *line))
            start = stop
    spread = one.spread + many.spread
    return models.Curve(tuple(pieces), spread, many.upto)


def _mixed(one, many, part):
    """Return a, b of a line that lies a part of the way from one to many."""
    return tuple(x - part * (x - y) for x, y in zip(one, many, strict=True))


def _crossings(lines, start, end):
    """Return the sizes between two at which some of the lines cross."""
    cuts = {
        (a - c) / (d - b)
        for (a, b), (c, d) in itertools.combinations(lines, 2)
        if b != d
    }
    return sorted(n for n in cuts if start < n < end)


@dataclasses.dataclass(frozen=True)
class Winner:
    """Which variant is predicted to be the cheapest.

    variant its name
    rivals  names of those that the intervals do not tell from it
    gain    Quantity: times as fast as plain Python; None: not measured
    beyond  whether what is asked lies beyond what was measured of it, or of
            a rival: a larger size, or cores that it does not count
    """

    variant: str
    rivals: tuple[str, ...]
    gain: Quantity | None
    beyond: bool

    @property
    def among(self):
        """It and its rivals: one of these is the cheapest."""
        return self.variant, *self.rivals


class Choices:
    """The variants of a problem on a machine, and what each costs.

    problem  a Problem
    measured  timings.Measured of the page that measured them
    """

    def __init__(self, problem, measured):
        self.problem, self.measured = problem, measured
        self.workers = measured.machine["cores"]["usable"]
        curves = _curves(measured.timings[problem.name])
        firsts = _once(measured.timings[f"{problem.name}, first call"])
        starts = _once(measured.timings["starts"]) | {"": 0.0}
        self.costs = {
            variant: Cost(
                starts[problem.start(variant)],
                firsts[variant],
                curves[variant],
                curves.get(variant + ONE),
                self.workers,
            )
            for variant in problem.variants
            if variant in curves and problem.start(variant) in starts
        }
        self.conversions = _curves(
            measured.timings.get(f"{problem.name}, conversion", ())
        )

    def converting(self, variant, data):
        """Return the names of the conversions that a variant needs.

        From arrays into arrays there is nothing to do.
        """
        form = KINDS[variant].form
        if not self.conversions or data in ("own", form):
            return []
        needed = ["from lists"] if data == "lists" else []
        return needed if form == "arrays" else [*needed, f"to {form}"]

    def converts(self, variant, data):
        """Tell whether the conversions that a variant needs were measured."""
        return self.conversions.keys() >= set(self.converting(variant, data))

    @functools.cached_property
    def _spreads(self):
        """{kind: how far such a part may be off; None: not tested}."""
        starts = left_out.last_processes(self.measured.timings["starts"])
        cases = {
            IMPORTS: starts,
            FIRST: self.first_calls,
            LARGER: self.larger,
        }
        return {kind: left_out.spread(some) for kind, some in cases.items()}

    def _known(self, kind):
        """Return (spread, "") of a kind; (ONCE, kind) if it is untested."""
        spread = self._spreads[kind]
        return (ONCE, kind) if spread is None else (spread, "")

    @functools.cached_property
    def first_calls(self):
        """Cases of first calls, where several processes measured them."""
        name = self.problem.name
        firsts = self.measured.timings[f"{name}, first call"]
        return left_out.last_processes(firsts, f" of {name}")

    @functools.cached_property
    def larger(self):
        """Cases of calls and conversions of the greatest size."""
        name, timings = self.problem.name, self.measured.timings
        moved = timings.get(f"{name}, conversion")
        cases = left_out.sizes_beyond(timings[name], f" of {name}")
        if moved:
            cases += left_out.sizes_beyond(moved, f" of {name}")
        return cases

    def cost(
        self, variant, n, *, calls=1, workers=None, data="own", imports=True
    ):
        """Return the predicted seconds of so many calls, a Quantity.

        variant  one of `costs`
        n        size of each call
        workers  for variants that share their work; by default all measured
        data     "own": it is in the variant's own form; "arrays" or "lists":
                 each call converts its own
        imports  whether the libraries are yet to be imported and started

        `untested` tells which of its parts nothing tested.
        """
        cost = self.costs[variant]
        call = cost.call(workers or self.workers)
        parts = [
            Part(cost.first, *self._known(FIRST)),
            self._part(call, n, calls, self._unmeasured(variant, workers)),
        ]
        if imports:
            parts.append(Part(cost.loads, *self._known(IMPORTS)))
        parts += [
            self._part(self.conversions[k], n, calls)
            for k in self.converting(variant, data)
        ]
        return total(parts)

    def _unmeasured(self, variant, workers):
        """Return CORES where a call was not measured with so many, or ""."""
        shares = self.costs[variant].one is not None
        model = shares and workers not in (None, 1, self.workers)
        return CORES * (model or self.other_cores(variant, workers))

    def _part(self, curve, n, calls, kind=""):
        """Return the Part of so many calls or conversions of a size.

        kind  why it was not tested, whatever its size, or ""
        """
        spread, larger = curve.spread, ""
        if n > curve.upto:
            spread, larger = self._known(LARGER)
        if n > REACH * curve.upto:
            larger = LARGER
        return Part(calls * curve.at(n).value, spread, kind or larger)

    def ranked(self, n, *, device=True, **options):
        """Return {variant: predicted seconds}, the cheapest first.

        device   whether variants on a device may be chosen
        options  of `cost`
        """
        costs = {
            variant: self.cost(variant, n, **options)
            for variant in self.costs
            if (device or not KINDS[variant].library)
            and self.converts(variant, options.get("data", "own"))
        }
        return dict(sorted(costs.items(), key=lambda pair: pair[1].value))

    def longer(self, other, variant, n, **options):
        """Return how many times as long another variant takes, a Quantity.

        options  of `cost`

        What starts with both is the same, however long it takes.
        """
        best, worse = (self.cost(k, n, **options) for k in (variant, other))
        if self.problem.start(variant) != self.problem.start(other):
            return worse / best
        options = {**options, "imports": False}
        best_, worse_ = (self.cost(k, n, **options) for k in (variant, other))
        return (worse_ - best_) / best + 1

    def winner(self, n, *, device=True, ranked=None, **options):
        """Return the Winner at a size; options as of `ranked`.

        ranked  what that returns, where it is known
        """
        ranked = ranked or self.ranked(n, device=device, **options)
        variant, *others = ranked
        near = [k for k in others if ranked[k].low <= ranked[variant].high]
        rivals = tuple(
            k for k in near if not self.longer(k, variant, n, **options) > 1
        )
        asked = {k: options[k] for k in ("workers", "data") if k in options}
        return Winner(
            variant,
            rivals,
            gain(ranked, variant),
            any(self.beyond(k, n, **asked) for k in (variant, *rivals)),
        )

    def gains_by_sharing(self, variant, n):
        """Tell whether all measured workers are faster than one.

        By more than a prediction may be off.
        """
        cost = self.costs[variant]
        if cost.one is None:
            return False
        alone, all_ = (curve.at(n).value for curve in (cost.one, cost.all_))
        return alone > (1 + WITHIN) * all_

    def limit(self, variant, data="own"):
        """Return the size beyond which a prediction is a guess.

        data  as in `cost`: what brings them into its form counts, too
        """
        curves = [self.costs[variant].all_]
        curves += [
            self.conversions[k] for k in self.converting(variant, data)
        ]
        return REACH * min(curve.upto for curve in curves)

    def other_cores(self, variant, workers):
        """Tell whether what was measured does not tell of so many workers.

        workers  as in `cost`: a variant that takes all cores by itself was
                 measured with all of them alone, and one core does not tell
                 what more would do
        """
        if workers in (None, self.workers):
            return False
        shares = self.costs[variant].one is not None
        alone = shares and self.workers == 1
        return alone or self.problem.takes_all(variant)

    def too_many_cores(self, variant, workers):
        """Tell whether its time is that of fewer cores than are asked for.

        workers  as in `cost`
        """
        far = (workers or 1) > FARTHEST * self.workers
        return far and self.costs[variant].one is not None

    def beyond(self, variant, n, workers=None, data="own"):
        """Tell whether what is asked lies beyond what was measured.

        n              size of a call
        workers, data  as in `cost`
        """
        return (
            n > self.limit(variant, data)
            or self.other_cores(variant, workers)
            or self.too_many_cores(variant, workers)
        )

    @functools.cached_property
    def unseen(self):
        """[(variant, size, predicted, measured)], unseen by any fit."""
        times = self.measured.timings.get(f"{self.problem.name}, unseen", ())
        return [
            (s.name, s.size, self.costs[s.name].all_.at(s.size), measured)
            for s in times
            if s.name in self.costs
            for measured in [times.seconds(s.name, s.size)]
        ]


def gain(ranked, variant):
    """Return how many times as fast as plain Python a variant is, or None."""
    if "Python" not in ranked:
        return None
    if variant == "Python":
        return Quantity.exact(1.0, "×")
    return ranked["Python"] / ranked[variant]


def gain_at(choices, variant, seconds):
    """Return how many times faster than Python a warm call is, a Quantity.

    seconds  that a call of Python's own loop takes, which sets the size
    """
    size = size_of(choices.costs["Python"].all_, seconds)
    python, other = (
        choices.costs[name].all_.at(size) for name in ("Python", variant)
    )
    return python / other


def size_of(curve, seconds):
    """Return the size at which a call takes so long, a whole number.

    curve  models.Curve of a call, which rises with the size
    """
    low, high = 0.0, math.log(10 * curve.upto)
    for _ in range(60):
        middle = (low + high) / 2
        if curve.at(math.exp(middle)).value < seconds:
            low = middle
        else:
            high = middle
    return max(1, round(math.exp(low)))


def _curves(times):
    """Return {name: models.Curve} of those with enough sizes."""
    curves = {}
    for name in times.names if times else ():
        sizes = times.sizes(name)
        if len(sizes) >= models.LEAST:
            seconds = [times.seconds(name, n) for n in sizes]
            curves[name] = models.curve(sizes, seconds)
    return curves


def _once(times):
    """Return {name: seconds} of what was read once, or a few times."""
    return {s.name: statistics.median(s.values) for s in times}


def choices(measured, names=tuple(PROBLEMS)):
    """Return {name of a problem: Choices} of what a page measured.

    measured  timings.Measured, or the page's own Chapter
    names     of the problems that are asked for
    """
    return {
        name: Choices(PROBLEMS[name], measured)
        for name in names
        if name in measured.timings
    }


def hits(every, sharp=False):
    """Return the share of predictions that came true, a Quantity.

    every  Choices
    sharp  counts those alone whose own measurement is known as well: both
           ends of its interval lie within WITHIN of it

    True is one that is off by WITHIN at most.
    """
    every = list(every)
    came = [
        left_out.near(predicted.value, measured.value)
        for one in every
        for _, _, predicted, measured in one.unseen
        if not sharp
        or (
            left_out.near(measured.low, measured.value)
            and left_out.near(measured.high, measured.value)
        )
    ]
    return _share(came, every)


def _share(came, every):
    """Return which share of some booleans is true; of none, anything.

    every  Choices, whose measurements it rests on
    """
    if not came:
        return Quantity(0.0, 0.0, 1.0, "%", "0 of 0")
    groups = frozenset(
        one.problem.name + part for one in every for part in ("", ", unseen")
    )
    share = Quantity.share(sum(came), len(came))
    return dataclasses.replace(share, groups=groups)


def tests(every):
    """Return a row for each problem: how its predictions came out.

    every  {name of a problem: Choices}

    One without measurements that no fit has seen has none.
    """
    rows = []
    for name, one in every.items():
        off = {
            (variant, n): predicted.value / measured.value
            for variant, n, predicted, measured in one.unseen
        }
        if not off:
            continue
        variant, n = max(off, key=lambda k: abs(math.log(off[k])))
        rows.append(
            {
                "problem": name,
                "within a fifth": hits([one]).note,
                "winner right": right([one]).note,
                "furthest off": f"{variant} at {n:,}",
                "predicted / measured": f"{off[variant, n]:.2f}",
            }
        )
    return rows


def right(every):
    """Return the share of cases in which the predicted winner won.

    every   Choices

    A case is a problem and a size at which the two best, as measured, differ
    by more than a fifth.
    """
    won, every = [], list(every)
    for one in every:
        sizes = sorted({n for _, n, _, _ in one.unseen})
        for size in sizes:
            at = [row for row in one.unseen if row[1] == size]
            measured = sorted((m.value, variant) for variant, _, _, m in at)
            (best, variant), *others = measured
            if others and others[0][0] > (1 + WITHIN) * best:
                _, predicted = min(
                    (p.value, variant) for variant, _, p, _ in at
                )
                won.append(predicted == variant)
    return _share(won, every)
