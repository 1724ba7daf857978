"""What may be said of samples: Quantities, with their doubts."""

import dataclasses
import html
import math
import statistics
from itertools import compress, zip_longest

from onthefly.measure.quantity import INTERVAL, Quantity, Rounds
from onthefly.measure.samples import (
    MIN_ROUNDS,
    Samples,
    background_load,
    taken,
)

NOISY_SPREAD = 0.10  # interquartile range / median above which we say so


def doubt(series, cores):
    """Return why `series` is noisy on a machine of `cores`, or ``""``.

    Of several sessions, why even the best of them is.
    """
    return min((_doubt(part, cores) for part in series.parts), key=len)


def _doubt(series, cores):
    reasons = []
    values = series.values
    if len(values) < MIN_ROUNDS:
        samples = "sample" if len(values) == 1 else "samples"
        reasons.append(f"only {len(values)} {samples}")
    else:
        lower, middle, upper = statistics.quantiles(values, n=4)
        if middle and upper - lower > NOISY_SPREAD * middle:
            reasons.append(f"spread {(upper - lower) / middle:.0%}")
    if series.load > cores:
        reasons.append(f"load {series.load:.1f} on {cores} cores")
    if background_load(series, cores):
        reasons.append(f"others used {series.others:.1f} of {cores} cores")
    return ", ".join(reasons)


class Timings(Samples):
    """Samples, and the Quantities that they are worth."""

    def __init__(self, *arguments, **named):
        """Keep what `Samples` keeps."""
        super().__init__(*arguments, **named)
        self._run = object()  # tells these rounds from others
        self._groups = frozenset()

    def named(self, group):
        """Note the measurement's name, which Quantities hand on."""
        self._groups = frozenset([group])
        return self

    def seconds(self, name, size=None):
        """Return the median seconds a call, as a Quantity."""
        return self._seconds(self.series(name, size))

    def _seconds(self, series):
        lost = [taken(part, self.cores) for part in series.parts]
        values = tuple(part.values for part in series.parts)
        least = tuple(
            tuple(value * (1 - share) for value in session)
            for session, share in zip(values, lost, strict=True)
        )
        rounds = Rounds(self._run, values, least if any(lost) else values)
        return dataclasses.replace(
            Quantity.of_rounds(rounds),
            note=doubt(series, self.cores),
            disturbed=max(lost),
            origin=self.origin,
            groups=self._groups,
        )

    def count(self, what, name, size=None):
        """Return the median of what was counted in a call, a Quantity.

        Raises KeyError, with what there is, for what was not counted.
        """
        parts = self.series(name, size).parts
        if what not in parts[0].counts:
            have = ", ".join(parts[0].counts) or "nothing"
            raise KeyError(f"{name!r}: {what!r} not counted, but {have}")
        counts = tuple(part.counts[what] for part in parts)
        return self.derived(Quantity.of_rounds(Rounds(self._run, counts), ""))

    def least(self, name, size=None):
        """Return the seconds of the fastest sample, as a Quantity.

        A busy machine touches it least; it has no bound from below.
        """
        value = min(self.series(name, size).values)
        return self.derived(Quantity(value, -math.inf, value, "s"))

    def first(self, name, size=None):
        """Return the seconds of the very first call, a Quantity, or None.

        There is one a session, and one alone sets no bounds.
        """
        firsts = [part.first for part in self.series(name, size).parts]
        if None in firsts:
            return None
        if len(firsts) == 1:
            reading = Quantity(firsts[0], -math.inf, math.inf, "s")
            return self.derived(reading)
        rounds = Rounds(None, tuple((first,) for first in firsts))
        quantity = Quantity.of_rounds(rounds)
        return self.derived(dataclasses.replace(quantity, rounds=None))

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
        """Return the Timings of other work: see `Samples.scaled`."""
        scaled = super().scaled(factors)
        scaled._groups = self._groups
        return scaled

    def derived(self, quantity):
        """Return a Quantity worked out from these samples, of their origin.

        For what is no arithmetic of Quantities, as a share of rounds.
        """
        return dataclasses.replace(
            quantity,
            origin=self.origin,
            groups=self._groups,
            sessions=min((len(s.parts) for s in self), default=0),
        )

    def _repr_html_(self):
        return self.as_table("Timings")

    def as_table(self, label):
        """Return an HTML table of all series; `label` names it."""
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
        return table(head, rows, label)


class Measured:
    """What a machine measured for a page, as Timings.

    data     a data.Data; page, preset, machine and origin are its own
    timings  {group: Timings}
    """

    def __init__(self, data):
        self.page, self.preset = data.page, data.preset
        self.machine, self.origin = data.machine, data.origin
        self.timings = {
            name: Timings.of(group.samples()).named(name)
            for name, group in data.groups.items()
        }


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
