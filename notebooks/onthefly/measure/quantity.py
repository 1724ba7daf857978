"""A number with its interval, and the arithmetic of such numbers.

Every number of the book that was measured is a :class:`Quantity`, and what
is worked out from some is one again: it keeps their interval, their doubts
and their origin to the page.
"""

import dataclasses
import html
import math
import numbers
import operator
import re
import statistics

CONFIDENCE = 0.95
INTERVAL = f"{CONFIDENCE * 100:g} % interval"  # as tables and axes name it
SAME = 1.05  # ratios up to this, and down to its inverse, are "as fast as"
DISTURBED = 0.05  # share of the time in others' hands, above which we say so

# In the place of an interval that the data do not bound.
ONE, FEW = "one reading", "too few samples"

_TIME_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_PLAIN = ("", "×", "%")  # units of numbers that scale others
_SPREAD = re.compile(r"spread (?:up to )?(\d+)%")  # of a noisy series


def _digits(value, digits=3, whole=False):
    """Format to significant digits without an exponent where readable.

    whole  keep all digits before the point, as of what was counted
    """
    if value == 0 or not math.isfinite(value):
        return f"{value + 0.0:g}".replace("-", "\N{MINUS SIGN}")  # no -0
    rounded = float(f"{value:.{digits - 1}e}")
    if not 1e-3 <= abs(rounded) < 1e5:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        text = f"{mantissa}e{int(exponent)}"
    elif whole and abs(rounded) >= 10**digits:
        text = f"{value:.0f}"
    else:
        places = digits - 1 - math.floor(math.log10(abs(rounded)))
        text = f"{rounded:.{max(0, places)}f}"
    return text.replace("-", "\N{MINUS SIGN}")


def _about(value, counted=False):
    """Return a number for a sentence: two digits, three behind a leading 1.

    counted  whether it was counted, and is written whole
    """
    leads = f"{abs(value):.2e}".startswith("1")
    return _digits(value, 3 if leads or counted else 2, whole=counted)


def joined(notes):
    """Return doubts as one text, each once; of spreads, the largest."""
    every = (doubt for note in notes if note for doubt in note.split("; "))
    doubts = list(dict.fromkeys(every))
    spreads = [doubt for doubt in doubts if _SPREAD.fullmatch(doubt)]
    if len(spreads) > 1:
        largest = max(int(_SPREAD.fullmatch(doubt)[1]) for doubt in spreads)
        first = doubts.index(spreads[0])
        doubts = [doubt for doubt in doubts if doubt not in spreads]
        doubts.insert(first, f"spread up to {largest}%")
    return "; ".join(doubts)


def origin_of(quantities):
    """Return whose numbers these are together."""
    origins = {q.origin for q in quantities} - {""}
    return "; ".join(sorted(origins))


@dataclasses.dataclass(frozen=True)
class Rounds:
    """The samples behind a Quantity: one a round, in sessions.

    run     what tells one measurement from another: samples of two series
            belong together where their rounds are of the same
    values  samples in the Quantity's unit, a tuple for each session
    least, most  what each sample may have been, had no other program used
            the machine; `values` where none did
    signed  whether they may be below zero, as differences may
    """

    run: object
    values: tuple[tuple[float, ...], ...]
    least: tuple[tuple[float, ...], ...] = ()
    most: tuple[tuple[float, ...], ...] = ()
    signed: bool = False

    def __post_init__(self):
        for name in ("least", "most"):
            object.__setattr__(self, name, getattr(self, name) or self.values)

    @property
    def _disturbed(self):
        return self.least is not self.values or self.most is not self.values

    def mapped(self, function):
        """Return the Rounds of a function of each sample."""
        values = _each(function, self.values)
        if not self._disturbed:
            return Rounds(self.run, values, signed=self.signed)
        ends = [_each(function, x) for x in (self.least, self.most)]
        return Rounds(
            self.run,
            values,
            _each(min, *ends),
            _each(max, *ends),
            self.signed,
        )

    def paired(self, other):
        """Tell whether the samples of two are of the same rounds."""
        return (
            other is not None
            and self.run is other.run
            and list(map(len, self.values)) == list(map(len, other.values))
        )

    def combined(self, operation, other):
        """Return the Rounds of an operation on the samples of two."""
        values = _each(operation, self.values, other.values)
        signed = self.signed or other.signed or operation is operator.sub
        if not (self._disturbed or other._disturbed):
            return Rounds(self.run, values, signed=signed)
        corners = [
            _each(operation, a, b)
            for a in (self.least, self.most)
            for b in (other.least, other.most)
        ]
        return Rounds(
            self.run,
            values,
            _each(min, *corners),
            _each(max, *corners),
            signed,
        )


def _each(function, *sessions):
    """Return function of the samples of each round, in their sessions."""
    return tuple(
        tuple(map(function, *rounds))
        for rounds in zip(*sessions, strict=True)
    )


def _middle(sessions, signed):
    """Return (value, low, high) of samples: their median and its interval.

    sessions  samples, a tuple for each session
    signed    whether they may be below zero

    Of one session, the interval's ends are order statistics (asv_runner's
    `quantile_ci`): it holds for any distribution, and needs six samples.
    Of several, whose processes differ by more than their samples scatter,
    it is Student's, of the sessions' medians; of what has no sign, of their
    logarithms: a process is slower by a factor, and a ratio says the same
    whichever of two stands above.
    """
    from asv_runner.statistics import quantile_ci

    if len(sessions) == 1:
        value, (low, high) = quantile_ci(sessions[0], 0.5, 1 - CONFIDENCE)
        return value, low, high
    from scipy.special import stdtrit

    medians = list(map(statistics.median, sessions))
    if not all(map(math.isfinite, medians)):
        return statistics.fmean(medians), -math.inf, math.inf
    scaled, back = medians, float
    if not signed and min(medians) > 0:
        scaled, back = list(map(math.log, medians)), math.exp
    value = statistics.fmean(scaled)
    reach = statistics.stdev(scaled) / math.sqrt(len(scaled))
    # As Python's own number: `is True` asks what a comparison of it says.
    reach *= float(stdtrit(len(scaled) - 1, (1 + CONFIDENCE) / 2))
    return tuple(map(back, (value, value - reach, value + reach)))


@dataclasses.dataclass(frozen=True)
class Quantity:
    """A measured number, its 95 % interval and its unit.

    `unit` is "s", "×" (a ratio), "%" (a share, held as 0 to 1), or ""
    (a count or an exponent).  `low` and `high` equal `value` for what is
    counted exactly; they are infinite where the data set no bound.
    `note` says what makes the number doubtful, e.g. noise; `disturbed` is
    the share of its time, 0 to 1, that other programs had meanwhile: the
    interval holds what they can have cost.  `undecided` counts the cases of
    a share that may be so or not: see `held`.  `sessions` says in how many
    sessions its samples were taken, of several series in how few; 0 where
    none were.  `origin` is "" for what the
    page's machine measured; otherwise it says who did, and the text is
    marked "recorded".  `rounds` are the samples, where the number is their
    median.

    ``a + b``, ``a - b``, ``a * b`` and ``a / b`` take Quantities and plain
    numbers; sums and differences are of one unit.  Two whose samples were
    taken in the same rounds are combined round by round: what slowed the
    machine for a moment met both.  All others are taken as independent.
    ``a > b`` is a `Comparison`, which the interval decides.
    """

    value: float
    low: float
    high: float
    unit: str = ""
    note: str = ""
    disturbed: float = 0.0
    origin: str = ""
    groups: frozenset = dataclasses.field(
        default=frozenset(), repr=False, compare=False
    )
    rounds: Rounds | None = dataclasses.field(
        default=None, repr=False, compare=False
    )
    undecided: int = 0
    sessions: int = 0

    @classmethod
    def exact(cls, value, unit=""):
        """Return a counted number: its interval is the number itself."""
        return cls(float(value), float(value), float(value), unit)

    @classmethod
    def median(cls, values, unit="s", run=None):
        """Return the median of one session's samples: see `of_rounds`.

        values  one a round
        run     of the rounds, where others were taken in the same
        """
        quantity = cls.of_rounds(Rounds(run, (tuple(map(float, values)),)))
        rounds = None if run is None else quantity.rounds
        return dataclasses.replace(quantity, unit=unit, rounds=rounds)

    @classmethod
    def of_rounds(cls, rounds, unit="s"):
        """Return the median of Rounds, with its distribution-free interval.

        Of several sessions, the mean of their medians, with Student's
        interval: it covers what the sessions disagree on.  Of what has no
        sign, as a time, the geometric mean, and no end is below zero.
        """
        value, low, high = _middle(rounds.values, rounds.signed)
        if rounds.least is not rounds.values:
            low = min(low, _middle(rounds.least, rounds.signed)[1])
        if rounds.most is not rounds.values:
            high = max(high, _middle(rounds.most, rounds.signed)[2])
        bounded = math.isfinite(low) and not rounds.signed
        if bounded and min(map(min, rounds.least)) >= 0:
            low = max(low, 0.0)
        sessions = len(rounds.values)
        return cls(value, low, high, unit, rounds=rounds, sessions=sessions)

    @classmethod
    def share(cls, hits, trials, note=""):
        """Return `hits` of `trials` as a share, with its exact interval.

        The interval is Clopper and Pearson's.  Raises ValueError unless
        0 <= hits <= trials and trials >= 1.
        """
        from scipy.special import betaincinv  # scipy.stats loads for seconds

        if not 0 <= hits <= trials or trials < 1:
            raise ValueError(f"share: {hits} of {trials}")
        tail, missed = (1 - CONFIDENCE) / 2, trials - hits
        low = betaincinv(hits, missed + 1, tail) if hits else 0.0
        high = betaincinv(hits + 1, missed, 1 - tail) if missed else 1.0
        note = note or f"{hits} of {trials}"
        return cls(hits / trials, float(low), float(high), "%", note)

    @classmethod
    def share_of(cls, flags):
        """Return the share of those that are true, as `share`."""
        flags = list(map(bool, flags))
        return cls.share(sum(flags), len(flags))

    @classmethod
    def held(cls, comparisons, unmeasured=0):
        """Return in which share of Comparisons what they say holds.

        Those that are not resolved may hold or not, and so bound the share.
        So do as many more as nobody has measured.
        Raises ValueError where there are none.
        """
        comparisons = list(comparisons)
        if not comparisons:
            raise ValueError("held: no comparisons")
        held = [c.holds for c in comparisons]
        yes, left = held.count(True), held.count(None)
        count = len(held) + unmeasured
        open_ = {"not resolved": left, "not measured": unmeasured}
        notes = [f"{k} {what}" for what, k in open_.items() if k]
        return cls(
            yes / count,
            yes / count,
            (yes + left + unmeasured) / count,
            "%",
            ", ".join([f"{yes} of {count}", *notes]),
            undecided=left + unmeasured,
            origin=origin_of(
                q for c in comparisons for q in (c.left, c.right)
            ),
            groups=frozenset().union(*(c.groups for c in comparisons)),
        )

    # --- arithmetic --------------------------------------------------------

    def __add__(self, other):
        return _combined(operator.add, self, other, _same_unit)

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return _combined(operator.sub, self, other, _same_unit)

    def __rsub__(self, other):
        return -(self - other)

    def __neg__(self):
        return self * -1

    def __mul__(self, other):
        return _combined(operator.mul, self, other, _unit_of_product)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        return _combined(_quotient, self, other, _unit_of_quotient)

    def __rtruediv__(self, other):
        return Quantity.exact(other) / self

    def named(self, unit):
        """Return the same number under another unit, as "%" for "×"."""
        return dataclasses.replace(self, unit=unit)

    def within(self, low, high):
        """Return this number and its interval, kept between two bounds."""
        ends = (self.value, self.low, self.high)
        value, low, high = (min(max(end, low), high) for end in ends)
        return dataclasses.replace(
            self, value=value, low=low, high=high, rounds=None
        )

    # --- comparison --------------------------------------------------------

    def __gt__(self, other):
        return Comparison(self, _as_quantity(other, self.unit), "above")

    def __lt__(self, other):
        return Comparison(self, _as_quantity(other, self.unit), "below")

    # --- text --------------------------------------------------------------

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
    def is_exact(self):
        """Whether the number was counted: its interval is the number."""
        # Rounding may set the ends apart.
        return math.isclose(self.low, self.high, rel_tol=1e-12)

    @property
    def interval(self):
        """The interval as text in the number's unit, e.g. ``1.8 to 2.0``.

        "" of what was counted.
        """
        if self.is_exact:
            return ""
        factor, _ = self._scale()
        low, high = _digits(self.low / factor), _digits(self.high / factor)
        if math.isfinite(self.low) and math.isfinite(self.high):
            return f"{low} to {high}"
        if math.isfinite(self.low):
            return f"{low} or more"
        if math.isfinite(self.high):
            return f"{high} or less"
        some = self.rounds and sum(map(len, self.rounds.values)) > 1
        return FEW if some else ONE

    @property
    def mark(self):
        """What a number of another run is marked by, or ""."""
        return "recorded" if self.origin else ""

    @property
    def _number(self):
        factor, unit = self._scale()
        around = self.low <= 0 <= self.high
        if around and abs(self.value) < self._reach() / 1000:  # noise
            return f"0{unit}"
        return _digits(self.value / factor, whole=self.is_exact) + unit

    def _with(self, *remarks):
        """Return the number and its remarks in brackets."""
        text = ", ".join(filter(None, remarks))
        return f"{self._number} ({text})" if text else self._number

    def __str__(self):
        return self._with(self.interval, self.mark)

    def _repr_pretty_(self, printer, cycle):
        printer.text(str(self))

    @property
    def short(self):
        """The number and its unit without the interval."""
        return self._with(self.mark)

    def rounded(self, digits):
        """Return the number with its unit, and its interval, as two texts.

        digits  significant ones, of the number and of both ends
        """
        factor, unit = self._scale()
        value, low, high = (
            _digits(x / factor, digits)
            for x in (self.value, self.low, self.high)
        )
        return value + unit, "" if self.is_exact else f"{low} to {high}"

    @property
    def about(self):
        """The number for a sentence: two digits, its interval on request."""
        factor, unit = self._scale()
        return Said(self, _about(self.value / factor, self.is_exact) + unit)

    @property
    def as_speed(self):
        """A ratio as a person says it: "7.4 times as fast as".

        Below 1, "1.6 times slower than".  Where the whole interval lies
        within SAME of 1, "as fast as"; where it only spans 1, "0.8 to 1.3
        times as fast as".
        """
        if self.low >= 1 / SAME and self.high <= SAME:
            return Said(self, "as fast as")
        if self.low < 1 < self.high and math.isfinite(self.low + self.high):
            low, high = _about(self.low), _about(self.high)
            return Said(self, f"{low} to {high} times as fast as")
        slower = self.value < 1
        ratio = 1 / self if slower else self
        end = "slower than" if slower else "as fast as"
        return Said(ratio, f"{_about(ratio.value)} times {end}")

    @property
    def as_time(self):
        """A ratio of times as `as_speed` says it: 1.8 is "1.80 times slower
        than".
        """
        return (1 / self).as_speed

    def worded(self, text):
        """Return `text`, which says this number another way, with its mark.

        For a count with separators, as ``q.worded(f"{q.value:,.0f}")``, or
        for a conclusion from it, as the name of the fastest.
        """
        return f"{text} ({self.mark})" if self.mark else text


# Whose numbers a page shows, for what its sentences say on request: machine,
# day and preset.  A kernel runs one page, which sets it.
page_origin = ""


class Said(str):
    """A Quantity in a sentence: the text that a notebook shows.

    A page adds the interval, the machine and the day, when the reader points
    at it, focuses or taps it.
    """

    def __new__(cls, quantity, text):
        """Return the text of a Quantity, with its mark."""
        mark = f" ({quantity.mark})" if quantity.mark else ""
        said = super().__new__(cls, text + mark)
        said.quantity = quantity
        return said

    def _repr_pretty_(self, printer, cycle):
        printer.text(str(self))

    @property
    def more(self):
        """The interval, what makes it doubtful, and whose number it is."""
        q = self.quantity
        interval = f"{INTERVAL}: {q.interval}" if q.interval else "exact"
        return "; ".join(filter(None, (interval, q.origin or page_origin)))

    def _repr_html_(self):
        more = html.escape(self.more)
        return (
            f'<span class="otf-q" tabindex="0" aria-description="{more}" '
            f'data-more="{more}">{html.escape(str(self))}</span>'
        )


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Whether one Quantity lies above or below another.

    The interval of their difference decides; of times that several sessions
    took in the same rounds, that of their ratio less 1, as a session that is
    slow is so by a factor.  `holds` is None where it spans zero.
    """

    left: Quantity
    right: Quantity
    word: str

    @property
    def holds(self):
        """True, False, or None: not resolved."""
        gap = self._gap
        if gap.low <= 0 < gap.high:
            return None
        return gap.low > 0

    @property
    def _gap(self):
        more, less = self.left, self.right
        if self.word == "below":
            more, less = less, more
        return more / less - 1 if _by_factor(more, less) else more - less

    @property
    def groups(self):
        """Names of the measurements that it rests on."""
        return self.left.groups | self.right.groups

    def __bool__(self):
        return self.holds is True

    @property
    def doubt(self):
        """Why it is not resolved, in words; "" where it is."""
        gap = self._gap
        if self.holds is not None:
            return ""
        bounded = math.isfinite(gap.low) and math.isfinite(gap.high)
        if not bounded and gap.disturbed < 1:  # they may have had it all
            return FEW
        if gap.disturbed >= DISTURBED:
            return (
                "other programs had up to "
                f"{gap.disturbed:.0%} of its time".replace("%", " %")
            )
        return "the interval spans the limit"

    def __str__(self):
        return f"measured {self.left}, expected {self.word} {self.right}"


def _as_quantity(value, unit=""):
    """Return a plain number as a Quantity."""
    if isinstance(value, Quantity):
        return value
    return Quantity.exact(value, unit)


def _by_factor(a, b):
    """Tell whether sessions scatter by a factor, which is told by a ratio."""
    if not (a.rounds and a.rounds.paired(b.rounds)):
        return False
    every = a.rounds, b.rounds
    return len(a.rounds.values) > 1 and all(
        not rounds.signed and min(map(min, rounds.least)) > 0
        for rounds in every
    )


def _same_unit(operation, a, b):
    if a.unit != b.unit:
        raise ValueError(f"{operation} of {a.unit!r} and {b.unit!r}")
    return a.unit


def _unit_of_product(_, a, b):
    if a.unit in _PLAIN or b.unit in _PLAIN:
        return b.unit if a.unit in _PLAIN and b.unit else a.unit or b.unit
    return f"{a.unit}·{b.unit}"


def _unit_of_quotient(_, a, b):
    if a.unit == b.unit:
        return "×"
    if b.unit in _PLAIN:
        return a.unit
    return f"{a.unit if a.unit not in _PLAIN else 1}/{b.unit}"


def _quotient(a, b):
    """Return a / b; infinite where b is 0, as no data bound it."""
    if b:
        return a / b
    return math.nan if a == 0 else math.copysign(math.inf, a)


def _combined(operation, a, b, unit):
    """Return the Quantity of an operation on two, or one and a number."""
    if not isinstance(b, (Quantity, numbers.Real)):
        return NotImplemented  # as a missing value, which stays missing
    if isinstance(b, Quantity):
        name = unit(operation.__name__.strip("_"), a, b)
    else:
        b, name = Quantity.exact(b), a.unit
    if b.low == b.high:
        combined = _mapped(lambda x: operation(x, b.value), a, name)
    elif a.low == a.high:
        combined = _mapped(lambda y: operation(a.value, y), b, name)
    elif a.rounds and a.rounds.paired(b.rounds):
        rounds = a.rounds.combined(operation, b.rounds)
        combined = Quantity.of_rounds(rounds, name)
    else:
        combined = Quantity(*_independent(operation, a, b), name)
    if operation is operator.sub and combined.rounds:  # of a number, too
        signed = dataclasses.replace(combined.rounds, signed=True)
        combined = dataclasses.replace(combined, rounds=signed)
    return dataclasses.replace(
        combined,
        note=joined((a.note, b.note)),
        disturbed=max(a.disturbed, b.disturbed),
        origin=origin_of((a, b)),
        groups=a.groups | b.groups,
        sessions=min(filter(None, (a.sessions, b.sessions)), default=0),
    )


def _mapped(function, q, unit):
    """Return the Quantity of a monotonic function of one."""
    ends = [function(end) for end in (q.low, q.high)]
    across = q.low < 0 < q.high and not math.isfinite(function(0.0))
    lost = [
        not math.isfinite(to) and math.isfinite(end)
        for to, end in zip(ends, (q.low, q.high), strict=True)
    ]
    if across or any(lost):  # divided by what is 0, or may be
        return Quantity(function(q.value), -math.inf, math.inf, unit)
    low, high = sorted(ends)
    rounds = q.rounds and q.rounds.mapped(function)
    return Quantity(function(q.value), low, high, unit, rounds=rounds)


def _independent(operation, a, b):
    """Return value, low and high of an operation on two independent ones.

    Each is moved to its ends while the other stays; what that changes adds
    up as the squares do (Donner and Zou 2012, "MOVER",
    doi 10.1177/0962280210383082).  A divisor that may be 0 bounds nothing.
    """
    value = operation(a.value, b.value)
    if operation is _quotient and b.low <= 0 <= b.high:
        return value, -math.inf, math.inf
    moved = [
        [operation(end, b.value) - value for end in (a.low, a.high)],
        [operation(a.value, end) - value for end in (b.low, b.high)],
    ]
    if any(map(math.isnan, (value, *moved[0], *moved[1]))):
        return value, -math.inf, math.inf
    down = math.hypot(*(min(0.0, *pair) for pair in moved))
    up = math.hypot(*(max(0.0, *pair) for pair in moved))
    if operation is not operator.sub and min(a.low, b.low) >= 0:
        down = min(down, value)  # as neither is below zero
    return value, value - down, value + up
