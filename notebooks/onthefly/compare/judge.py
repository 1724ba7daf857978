"""Two sides compared: a row for each page, group, name and size."""

import collections
import dataclasses

from onthefly.compare import background, ranks
from onthefly.compare.differences import differences, noted, required
from onthefly.compare.ranks import (
    FASTER,
    FEW,
    INCOMPARABLE,
    NOISY,
    SLOWER,
    UNCHANGED,
)

ORDER = (SLOWER, FASTER, NOISY, UNCHANGED, FEW, INCOMPARABLE)
ONE_SIDE = "measured on one side only"


@dataclasses.dataclass(frozen=True)
class Row:
    """One series on both sides.

    runs     (of the base, of the new side)
    counted  how many of these count: those that nothing disturbed
    finding  None where it is not comparable; `why` says so then
    """

    page: str
    group: str
    name: str
    size: int | None
    runs: tuple
    counted: tuple = ()
    finding: object = None
    why: str = ""

    @property
    def verdict(self):
        return self.finding.verdict if self.finding else INCOMPARABLE

    @property
    def series(self):
        """The series in words."""
        size = "" if self.size is None else f" @ {self.size:,}"
        return f"{self.group} | {self.name}{size}"


@dataclasses.dataclass(frozen=True)
class Comparison:
    """All that can be said of two sides.

    rows          of all series, the slower ones first
    incomparable  {page: why it is not comparable}
    noted         {page: what else differs}
    """

    base: object
    new: object
    level: float
    threshold: float
    rows: list
    incomparable: dict
    noted: dict

    @property
    def counts(self):
        """{verdict: how many series}, in order, less those of none."""
        count = collections.Counter(row.verdict for row in self.rows)
        return {v: count[v] for v in ORDER if count[v]}

    @property
    def judged(self):
        """How many series were judged together."""
        return sum(row.finding is not None for row in self.rows)

    @property
    def conclusive(self):
        """Whether there are series, and runs enough, to say anything."""
        return not self.counts.keys() <= {FEW, INCOMPARABLE}

    @property
    def regressions(self):
        """The rows that are slower by more than matters."""
        return [
            row
            for row in self.rows
            if row.finding and row.finding.regressed(self.threshold)
        ]


def compare(
    base,
    new,
    level=ranks.LEVEL,
    threshold=ranks.THRESHOLD,
    despite=(),
    number=None,
):
    """Return the Comparison of two Sides.

    level, threshold  as of `ranks.findings`
    despite  differences that are not to count, of `differences.ALLOWED`
    number   as of `ranks.one_each`
    """
    rows, pairs, incomparable, others = [], [], {}, {}
    for page in {**base.pages, **new.pages}:
        was, now = base.pages.get(page), new.pages.get(page)
        if not (was and now):
            incomparable[page] = ONE_SIDE
            continue
        incomparable[page] = differences(required, was, now, despite)
        others[page] = differences(noted, was, now)
        before, after = samples(was), samples(now)
        for key in {**before, **after}:
            pair = before.get(key, []), after.get(key, [])
            why = incomparable[page] or unfit(pair, (was, now))
            runs = tuple(map(len, pair))
            rows.append(Row(page, *key, runs, why=why))
            if not why:
                pairs.append(ranks.one_each(pair, number))
    fit = [row for row in rows if not row.why]
    pairs = background.undisturbed(
        [(row.page, row.group) for row in fit], pairs
    )
    judged = zip(pairs, ranks.findings(pairs, level, threshold), strict=True)
    rows = [row if row.why else _judged(row, *next(judged)) for row in rows]
    return Comparison(
        base, new, level, threshold, sorted(rows, key=_place),
        {k: v for k, v in incomparable.items() if v},
        {k: v for k, v in others.items() if v},
    )  # fmt: skip


def _judged(row, pair, finding):
    counted = tuple(map(len, pair))
    return dataclasses.replace(row, counted=counted, finding=finding)


def samples(runs):
    """Return {(group, name, size): [samples in seconds, one tuple a run]}.

    runs  Results of one page
    """
    collected = {}
    for run in runs:
        for group, timings in run.timings.items():
            for series in timings:
                key = group, series.name, series.size
                collected.setdefault(key, []).append(series.values)
    return collected


def unfit(pair, runs):
    """Return why a series cannot be compared, or "".

    pair  (samples of the base's runs, of the new side's)
    runs  (Results of its page's base runs, of its new ones)
    """
    if not all(pair):
        return ONE_SIDE
    # A run that chooses its sizes itself measures something else each time.
    if any(len(n) < len(r) for n, r in zip(pair, runs, strict=True)):
        return "not measured in every run"
    every = [values for side in pair for values in side]
    if not all(every):
        return "no samples"
    return "" if min(map(min, every)) > 0 else "a time of 0 or less"


def _place(row):
    """Return where a row stands: slower first, the most changed first."""
    finding = row.finding
    far = -abs(finding.ratio.value - 1) if finding else 0
    return ORDER.index(row.verdict), far
