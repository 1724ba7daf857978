"""The tidy table of samples, as the stopwatch takes them.

A :class:`Samples` holds one :class:`Series` a candidate and size, taken in
interleaved rounds: sample k of every series belongs to round k.  What may be
said of them is for `timings`.
"""

import dataclasses

from onthefly.measure.libraries import Missing

MIN_ROUNDS = 6  # the fewest samples that bound a median at 95 %
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
    """The samples of one candidate at one size, in one session or several.

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
    sessions  the Series of each session, where there are several; the other
              fields are those of all of them, or of the first
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
    sessions: tuple = ()

    @property
    def parts(self):
        """The Series of each session."""
        return self.sessions or (self,)

    @classmethod
    def joined(cls, parts):
        """Return the Series of several sessions; of one, itself."""
        parts = tuple(parts)
        if len(parts) == 1:
            return parts[0]
        return dataclasses.replace(
            parts[0],
            values=tuple(v for part in parts for v in part.values),
            load=max(part.load for part in parts),
            others=max(part.others for part in parts),
            sessions=parts,
        )

    def scaled(self, factor):
        """Return the Series whose every time is `factor` times as long."""
        return dataclasses.replace(
            self,
            first=None if self.first is None else self.first * factor,
            values=tuple(value * factor for value in self.values),
            sessions=tuple(part.scaled(factor) for part in self.sessions),
        )


def background_load(series, cores):
    """Tell whether other programs used a good part of the machine."""
    return series.others > BACKGROUND * cores


def taken(series, cores):
    """Return the share of a series' time, 0 to 1, that others can have cost.

    Several threads or processes depend on all cores; unknown counts as
    several: one core that others hold may be the one that all wait for.
    What one thread does alone needs one, and loses what the others have
    beyond the cores that it leaves.
    """
    share = series.other_threads
    alone = share is not None and share <= OTHER_THREADS
    left = cores - 1 if alone else 0
    return min(max(0.0, series.others - left), 1.0)


class Samples:
    """Samples of several candidates at several sizes, taken in rounds."""

    def __init__(self, series=(), cores=1, origin="", missing=None):
        """Keep `series`; `cores` are the machine's, to judge its load.

        `origin` is as in a Quantity.  `missing` are the candidates that were
        left out: {name: the name of what they need and is missing}.
        """
        self._series = {(s.name, s.size): s for s in series}
        self.missing = dict(missing or {})
        self.cores = cores
        self.origin = origin

    @classmethod
    def of(cls, samples, origin=""):
        """Return the same samples as this class; `origin` may be named."""
        return cls(
            samples, samples.cores, origin or samples.origin, samples.missing
        )

    @classmethod
    def joined(cls, sessions, origin=""):
        """Return the samples of several sessions as one table.

        sessions  Samples of the same series, at least one

        Those that other programs disturbed are set aside where there are
        others.
        """
        quiet = [one for one in sessions if not one.disturbed] or sessions
        first = quiet[0]
        return cls(
            [
                Series.joined(one.series(s.name, s.size) for one in quiet)
                for s in first
            ],
            first.cores,
            origin,
            first.missing,
        )

    @property
    def disturbed(self):
        """Whether other programs used a good part of the machine."""
        return any(background_load(series, self.cores) for series in self)

    @property
    def keys(self):
        """The (name, size) of each series, in the order given."""
        return list(self._series)

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

    def scaled(self, factors):
        """Return the samples of other work: each time, so often.

        factors  {name: factor}, or one factor for all
        """
        one = not isinstance(factors, dict)
        return type(self)(
            [s.scaled(factors if one else factors[s.name]) for s in self],
            self.cores,
            self.origin,
            self.missing,
        )
