"""The tidy table of samples, and what may be said of them.

A :class:`Timings` holds one :class:`Series` of samples a candidate and size,
taken in interleaved rounds: sample k of every series belongs to round k.
What it says of them are Quantities.
"""

import dataclasses
import html
import math
import statistics
from itertools import compress, zip_longest

from onthefly.libraries import Missing
from onthefly.quantity import INTERVAL, MIN_ROUNDS, Quantity

NOISY_SPREAD = 0.10  # interquartile range / median above which we say so
BACKGROUND = 0.10  # share of the cores in others' use, above which we say so

# The share of a call's processor time that other threads and processes may
# take before it counts as one that depends on free cores.  Without any, such
# a call lasts at most 1 / (1 - 0.1), or 11 %, longer.  Loops and arrays of
# one thread stay below 0.04, threads and pools lie above 0.4.
OTHER_THREADS = 0.10


@dataclasses.dataclass(frozen=True)
class Reading:
    """What a sampler that times itself found in one call.

    seconds  of the call
    counts   {what: how many}, counted beside the clock, as page faults
    """

    seconds: float
    counts: dict[str, float] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Series:
    """The samples of one candidate at one size.

    name      the candidate
    size      its size in its own unit (shots, steps), or None
    first     seconds of the very first call (compile, load, fill caches), or
              None where nobody timed it apart
    values    seconds a call, one for each round
    loops     calls in a sample
    load      the machine's load average when the measurement began
    others    cores that other programs used meanwhile, on average
    other_threads  share of its processor time, 0 to 1, that was spent
              outside the thread that called, in threads or processes; None:
              unknown
    counts    {what: counts a call, one for each round}, as of page faults
    """

    name: str
    size: int | None
    first: float | None
    values: tuple[float, ...]
    loops: int = 1
    load: float = 0.0
    others: float = 0.0
    other_threads: float | None = None
    counts: dict = dataclasses.field(default_factory=dict)


def doubt(series, cores):
    """Return why `series` is noisy on a machine of `cores`, or ``""``."""
    reasons = []
    values = series.values
    if len(values) < MIN_ROUNDS:
        reasons.append(f"only {len(values)} samples")
    else:
        lower, middle, upper = statistics.quantiles(values, n=4)
        if upper - lower > NOISY_SPREAD * middle:
            reasons.append(f"spread {(upper - lower) / middle:.0%}")
    if series.load > cores:
        reasons.append(f"load {series.load:.1f} on {cores} cores")
    if background_load(series, cores):
        reasons.append(f"others used {series.others:.1f} of {cores} cores")
    return ", ".join(reasons)


def background_load(series, cores):
    """Tell whether other programs used a good part of the machine."""
    return series.others > BACKGROUND * cores


def contended(series, cores):
    """Tell whether they took cores that the series depends on.

    Several threads or processes depend on all of them; unknown counts as
    several.  What one thread does alone needs one: while that is left, it is
    slowed as another's work is, and a ratio of the two is not moved.  Where
    it is not, a short sample fits between the others' turns, a long one not.
    """
    share = series.other_threads
    alone = share is not None and share <= OTHER_THREADS
    left = cores - 1 if alone else 0
    return series.others > left + BACKGROUND * cores


class Timings:
    """Samples of several candidates at several sizes, taken in rounds."""

    def __init__(self, series=(), cores=1, origin="", missing=None):
        """Keep `series`; `cores` are the machine's, to judge its load.

        `origin` is as in a Quantity, and is handed on to each.  `missing`
        are the candidates that were left out: {name: the name of what they
        need and is missing}.
        """
        self._series = {(s.name, s.size): s for s in series}
        self.missing = dict(missing or {})
        self._run = object()  # tells these rounds from others
        self.cores = cores
        self.origin = origin

    def __iter__(self):
        return iter(self._series.values())

    def __len__(self):
        return len(self._series)

    @property
    def names(self):
        """The candidates, in the order given."""
        return list(dict.fromkeys(s.name for s in self))

    def sizes(self, name=None):
        """Return the sizes measured (of one candidate), ascending.

        Of one that was left out for want of a library: Missing.
        """
        self._check_here(name)
        sizes = {s.size for s in self if name in (None, s.name)}
        return sorted(size for size in sizes if size is not None)

    def _check_here(self, name):
        if name in self.missing:
            raise Missing(self.missing[name]) from None

    def series(self, name, size=None):
        """Return one series; KeyError names what there is.

        One that was left out for want of a library raises Missing.
        """
        try:
            return self._series[name, size]
        except KeyError:
            self._check_here(name)
            have = ", ".join(f"{n} @ {s}" for n, s in self._series)
            raise KeyError(
                f"no series {name!r} at size {size}; there are: {have}"
            ) from None

    def seconds(self, name, size=None):
        """Return the median seconds a call, as a Quantity."""
        return self._seconds(self.series(name, size))

    def _seconds(self, series):
        median = Quantity.median(series.values, "s", self._run)
        lacking = contended(series, self.cores)
        return dataclasses.replace(
            median,
            note=doubt(series, self.cores),
            contended=background_load(series, self.cores),
            origin=self.origin,
            rounds=dataclasses.replace(median.rounds, contended=lacking),
        )

    def count(self, what, name, size=None):
        """Return the median of what was counted in a call, a Quantity.

        Raises KeyError, with what there is, for what was not counted.
        """
        counts = self.series(name, size).counts
        if what not in counts:
            have = ", ".join(counts) or "nothing"
            raise KeyError(f"{name!r}: {what!r} not counted, but {have}")
        return self.derived(Quantity.median(counts[what], "", self._run))

    def least(self, name, size=None):
        """Return the seconds of the fastest sample, as a Quantity.

        A busy machine touches it least; it has no bound from below.
        """
        value = min(self.series(name, size).values)
        return self.derived(Quantity(value, -math.inf, value, "s"))

    def first(self, name, size=None):
        """Return the seconds of the very first call, a Quantity, or None.

        It is one sample, which sets no bounds.
        """
        value = self.series(name, size).first
        if value is None:
            return None
        return self.derived(Quantity(value, -math.inf, math.inf, "s"))

    def ratio(self, slow, fast, size=None):
        """Return how many times faster `fast` is than `slow`.

        The ratio of each round, in which both were timed within moments of
        each other; the note names whose doubts it has.
        """
        pair = [self.seconds(name, size) for name in (slow, fast)]
        notes = [
            f"{name}: {q.note}"
            for name, q in zip((slow, fast), pair, strict=True)
            if q.note
        ]
        quotient = pair[0] / pair[1]
        return dataclasses.replace(quotient, note="; ".join(notes))

    def scaled(self, factors):
        """Return the Timings of other work: each time, so often.

        factors  {name: factor}, or one factor for all
        """
        one = not isinstance(factors, dict)
        return Timings(
            [_scaled(s, factors if one else factors[s.name]) for s in self],
            self.cores,
            self.origin,
            self.missing,
        )

    def derived(self, quantity):
        """Return a Quantity worked out from these samples, of their origin.

        For what is no arithmetic of Quantities, as a share of rounds.
        """
        return dataclasses.replace(quantity, origin=self.origin)

    def _repr_html_(self):
        head = ["", "size", "first call", "median", INTERVAL, ""]
        rows = []
        for s in self:
            q, first = self._seconds(s), self.first(s.name, s.size)
            size = "" if s.size is None else f"{s.size:,}"
            noise = f"noisy: {q.note}" if q.note else ""
            began = "" if first is None else first.short
            rows.append([s.name, size, began, q.short, q.interval, noise])
        used = [any(column) for column in zip(*rows, strict=True)]
        head, *rows = (list(compress(row, used)) for row in [head, *rows])
        return table(head, rows, "Timings")


def _scaled(series, factor):
    """Return a Series whose every time is `factor` times as long."""
    first = None if series.first is None else series.first * factor
    values = tuple(value * factor for value in series.values)
    return dataclasses.replace(series, first=first, values=values)


def table(head, rows, label, links=()):
    """Return an HTML table that scrolls within its own box.

    `head` is a list of column titles, `rows` lists of cells; both are
    escaped.  `label` names the box to a screen reader.  `links` are ids, one
    a row, that links to it name; "" for none.
    """

    def line(cells, tag):
        scope = ' scope="col"' if tag == "th" else ""
        return "".join(
            f"<{tag}{scope}>{html.escape(str(c))}</{tag}>"
            if str(c) or tag == "td"
            else "<td></td>"
            for c in cells
        )

    names = (f' id="{name}"' if name else "" for name in links)
    body = "".join(
        f"<tr{name}>{line(row, 'td')}</tr>"
        for row, name in zip_longest(rows, names, fillvalue="")
    )
    return (
        f'<div class="otf-scroll" tabindex="0" role="region" '
        f'aria-label="{html.escape(label)}"><table class="otf-table">'
        f"<thead><tr>{line(head, 'th')}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )
