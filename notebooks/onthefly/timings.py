"""The tidy table of samples, and what may be said of them.

A :class:`Quantity` is a number with its 95 % interval.  A :class:`Timings`
holds one :class:`Series` of samples a candidate and size, taken in
interleaved rounds: sample k of every series belongs to round k.
"""

import dataclasses
import html
import math
import os
import statistics
from itertools import compress

import numpy as np

CONFIDENCE = 0.95
NOISY_SPREAD = 0.10  # interquartile range / median above which we say so
BUSY = 0.10  # share of the cores in others' use above which we say so
MIN_ROUNDS = 6  # the fewest samples that bound a median at this confidence
BOOTSTRAP = 2000  # resamples of a ratio
SEED = 2018  # of the bootstrap, so that a page can be made again

# The origin of numbers that nobody measured; see results.example.
EXAMPLE = "an example of the format, not a measurement"

_TIME_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def _digits(value, digits=3):
    """Format to significant digits without an exponent where readable."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}".replace("-", "\N{MINUS SIGN}")
    if not 1e-3 <= abs(value) < 1e5:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        text = f"{mantissa}e{int(exponent)}"
    else:
        places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
        text = f"{value:.{places}f}"
    return text.replace("-", "\N{MINUS SIGN}")


@dataclasses.dataclass(frozen=True)
class Quantity:
    """A measured number, its 95 % interval and its unit.

    `unit` is "s", "×" (a ratio), "%" (a share, held as 0 to 1), or ""
    (a count or an exponent).  `low` and `high` equal `value` for what is
    counted exactly; they are infinite where the data set no bound.
    `note` says what makes the number doubtful, e.g. noise; `contended` that
    other programs used the machine meanwhile, so that the number may confirm
    a claim but not refute it.  `origin` is "" for what this run measured;
    otherwise it says who did, or is `EXAMPLE`, and the text is marked by it.
    """

    value: float
    low: float
    high: float
    unit: str = ""
    note: str = ""
    contended: bool = False
    origin: str = ""

    @classmethod
    def exact(cls, value, unit=""):
        """Return a counted number: its interval is the number itself."""
        return cls(float(value), float(value), float(value), unit)

    @classmethod
    def share(cls, hits, trials, note=""):
        """Return `hits` of `trials` as a share, with its exact interval.

        The interval is Clopper and Pearson's.  Raises ValueError unless
        0 <= hits <= trials and trials >= 1.
        """
        from scipy.stats import binomtest

        test = binomtest(int(hits), int(trials))
        interval = test.proportion_ci(CONFIDENCE)
        note = note or f"{hits} of {trials}"
        return cls(hits / trials, interval.low, interval.high, "%", note)

    def linear(self, factor, shift=0.0, unit=None):
        """Return factor · (this − shift), with its interval and notes."""
        ends = (factor * (end - shift) for end in (self.low, self.high))
        low, high = sorted(ends)
        return dataclasses.replace(
            self,
            value=factor * (self.value - shift),
            low=low,
            high=high,
            unit=self.unit if unit is None else unit,
        )

    def per(self, count):
        """Return this Quantity for one of `count` equal parts."""
        return self.linear(1 / count)

    def _scale(self):
        """Return the factor and unit in which the number reads best."""
        if self.unit == "%":
            return 0.01, " %"
        if self.unit != "s":
            return 1.0, {"×": "×"}.get(self.unit, f" {self.unit}".rstrip())
        size = max(abs(self.value), self._reach() / 10)
        for factor, unit in _TIME_UNITS:
            if size >= factor:
                return factor, f" {unit}"
        return 1e-9, " ns"

    def _reach(self):
        """The interval's farther end: the scale of a value near zero."""
        ends = [abs(e) for e in (self.low, self.high) if math.isfinite(e)]
        return max(ends, default=0.0)

    @property
    def interval(self):
        """The interval as text in the number's unit, e.g. ``1.8 to 2.0``."""
        factor, _ = self._scale()
        low, high = _digits(self.low / factor), _digits(self.high / factor)
        if math.isfinite(self.low) and math.isfinite(self.high):
            return f"{low} to {high}"
        if math.isfinite(self.low):
            return f"{low} or more"
        return f"{high} or less" if math.isfinite(self.high) else "unknown"

    @property
    def _mark(self):
        """Whose the number is where this run did not measure it, or ""."""
        if not self.origin:
            return ""
        return "example" if self.origin == EXAMPLE else "recorded"

    @property
    def _number(self):
        factor, unit = self._scale()
        lost = abs(self.value) < self._reach() / 1000  # noise around zero
        return ("0" if lost else _digits(self.value / factor)) + unit

    def _with(self, *remarks):
        """Return the number and its remarks in brackets."""
        said = ", ".join(filter(None, remarks))
        return f"{self._number} ({said})" if said else self._number

    def __str__(self):
        exact = self.low == self.high
        return self._with("" if exact else self.interval, self._mark)

    @property
    def short(self):
        """The number and its unit without the interval."""
        return self._with(self._mark)


@dataclasses.dataclass(frozen=True)
class Series:
    """The samples of one candidate at one size.

    name      the candidate
    size      its size in its own unit (shots, steps), or None
    first     seconds of the very first call: compile, load, fill caches
    values    seconds a call, one for each round
    loops     calls in a sample
    load      the machine's load average when the measurement began
    others    cores that other programs used meanwhile, on average
    """

    name: str
    size: int | None
    first: float
    values: tuple[float, ...]
    loops: int = 1
    load: float = 0.0
    others: float = 0.0


def median(values, unit="s"):
    """Return the median of `values` with a distribution-free interval.

    The interval's ends are order statistics (asv_runner's `quantile_ci`):
    it holds for any distribution, and needs six samples.
    """
    from asv_runner.statistics import quantile_ci

    middle, (low, high) = quantile_ci(values, 0.5, 1 - CONFIDENCE)
    return Quantity(middle, low, high, unit)


def ratio(above, below):
    """Return above / below, round by round, with a bootstrap interval.

    The samples of one round were taken within moments of each other, so a
    slow spell of the machine hit both, and their ratio does not show it.
    The result is the median of the rounds' ratios, its interval the
    percentiles of bootstrap medians.  Fewer than six rounds set no bound.
    """
    from scipy.stats import bootstrap

    pairs = np.array([a / b for a, b in zip(above, below, strict=False)])
    value = float(np.median(pairs))
    if len(pairs) < MIN_ROUNDS:
        return Quantity(value, -math.inf, math.inf, "×")
    if np.ptp(pairs) == 0:
        return Quantity.exact(value, "×")
    found = bootstrap(
        (pairs,),
        np.median,
        n_resamples=BOOTSTRAP,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return Quantity(value, float(found.low), float(found.high), "×")


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
    if contended(series, cores):
        reasons.append(f"others used {series.others:.1f} of {cores} cores")
    return ", ".join(reasons)


def contended(series, cores):
    """Tell whether other programs used a good part of the machine."""
    return series.others > BUSY * cores


class Timings:
    """Samples of several candidates at several sizes, taken in rounds."""

    def __init__(self, series=(), cores=1, origin=""):
        """Keep `series`; `cores` are the machine's, to judge its load.

        `origin` is as in a Quantity, and is handed on to each.
        """
        self._series = {(s.name, s.size): s for s in series}
        self.cores = cores
        self.origin = origin

    @classmethod
    def from_samples(cls, samples, bystanders):
        """Return the Timings of samples that were taken some other way.

        samples     {name: seconds a call, one for each round}
        bystanders  machine.Bystanders, made before the first sample
        """
        others, cores = bystanders.cores(), os.cpu_count() or 1
        return cls(
            [
                Series(name, None, values[0], tuple(values), others=others)
                for name, values in samples.items()
            ],
            cores,
        )

    def __iter__(self):
        return iter(self._series.values())

    def __len__(self):
        return len(self._series)

    @property
    def names(self):
        """The candidates, in the order given."""
        return list(dict.fromkeys(s.name for s in self))

    def sizes(self, name=None):
        """Return the sizes measured (of one candidate), ascending."""
        found = {s.size for s in self if name in (None, s.name)}
        return sorted(size for size in found if size is not None)

    def series(self, name, size=None):
        """Return one series; KeyError names what there is."""
        try:
            return self._series[name, size]
        except KeyError:
            have = ", ".join(f"{n} @ {s}" for n, s in self._series)
            raise KeyError(
                f"no series {name!r} at size {size}; there are: {have}"
            ) from None

    def samples(self, name, size=None):
        """Return the seconds a call in each round, as an array."""
        return np.array(self.series(name, size).values)

    def seconds(self, name, size=None):
        """Return the median seconds a call, as a Quantity."""
        series = self.series(name, size)
        found = median(series.values)
        return self._marked(found, [series])

    def first(self, name, size=None):
        """Return the seconds of the first call of all (one sample)."""
        return self.series(name, size).first

    def ratio(self, slow, fast, size=None):
        """Return how many times faster `fast` is than `slow`."""
        pair = [self.series(name, size) for name in (slow, fast)]
        return self._marked(ratio(pair[0].values, pair[1].values), pair)

    def _marked(self, quantity, series):
        """Return `quantity` with what makes its series doubtful."""
        doubts = [(s.name, doubt(s, self.cores)) for s in series]
        single = len(series) == 1
        notes = [d if single else f"{n}: {d}" for n, d in doubts if d]
        return dataclasses.replace(
            quantity,
            note="; ".join(notes),
            contended=any(contended(s, self.cores) for s in series),
            origin=self.origin,
        )

    def derived(self, quantity):
        """Return a Quantity worked out from these samples, of their origin.

        A fit's parameter, for one, does not know where its data came from.
        """
        return dataclasses.replace(quantity, origin=self.origin)

    def rows(self):
        """Return a tidy list of dicts, one a sample."""
        return [
            {
                "name": s.name,
                "size": s.size,
                "round": k,
                "seconds": value,
                "loops": s.loops,
                "load": s.load,
            }
            for s in self
            for k, value in enumerate(s.values)
        ]

    def _repr_html_(self):
        head = ["", "size", "first call", "median", "95 % interval", ""]
        rows = []
        for s in self:
            q = self.seconds(s.name, s.size)
            size = "" if s.size is None else f"{s.size:,}"
            first = Quantity.exact(s.first, "s").short
            noise = f"noisy: {q.note}" if q.note else ""
            rows.append([s.name, size, first, q.short, q.interval, noise])
        used = [any(column) for column in zip(*rows, strict=True)]
        head, *rows = (list(compress(row, used)) for row in [head, *rows])
        return table(head, rows, "Timings")


def table(head, rows, label):
    """Return an HTML table that scrolls within its own box.

    `head` is a list of column titles, `rows` lists of cells; both are
    escaped.  `label` names the box to a screen reader.
    """

    def line(cells, tag):
        scope = ' scope="col"' if tag == "th" else ""
        return "".join(
            f"<{tag}{scope}>{html.escape(str(c))}</{tag}>"
            if str(c) or tag == "td"
            else "<td></td>"
            for c in cells
        )

    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    return (
        f'<div class="otf-scroll" tabindex="0" role="region" '
        f'aria-label="{html.escape(label)}"><table class="otf-table">'
        f"<thead><tr>{line(head, 'th')}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )
