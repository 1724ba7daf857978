"""A comparison in sentences, and as rows of a table."""

import collections
import math
import operator

from onthefly.compare import ranks
from onthefly.compare.ranks import (
    FASTER,
    FEW,
    INCOMPARABLE,
    NOISY,
    SLOWER,
    UNCHANGED,
)
from onthefly.compare.session import IN_A_CLONE
from onthefly.figures import percent

MARKS = {
    SLOWER: "▼",
    FASTER: "▲",
    NOISY: "?",
    UNCHANGED: "=",
    FEW: "…",
    INCOMPARABLE: "–",
}
HEAD = ["", "new / base", "A/A noise", "runs", "page", "series"]


def findings(comparison):
    """Return [(name, sentence)] of a Comparison, the verdict first."""
    lines = [("verdict", verdict(comparison))]
    lines += [
        (name, f"{side.name}: {_counted(side.runs, 'run')} of {side.whose}")
        for name, side in (("base", comparison.base), ("new", comparison.new))
    ]
    counts = ", ".join(f"{n} {v}" for v, n in comparison.counts.items())
    lines.append(("series", counts or "none in common"))
    if FEW in comparison.counts:
        lines.append((FEW, few(comparison)))
    lines += _by_page(_disturbed(comparison), "disturbed")
    lines += _by_page(comparison.noted, "differs")
    lines += _by_page(comparison.incomparable, INCOMPARABLE)
    lines += _by_page(_unfit(comparison), INCOMPARABLE)
    return lines


def verdict(comparison):
    """Return what came out, in a sentence."""
    if bad := comparison.regressions:
        most = max(row.finding.ratio.value for row in bad)
        return (
            f"{_counted(len(bad), 'regression')}: slower by more than "
            f"{percent(comparison.threshold)}, the worst {most:.2f}×"
        )
    if not comparison.judged:
        return "nothing can be compared"
    if comparison.counts.get(FEW) == comparison.judged:
        return "too few repeats to find any change"
    clean = f"no regression beyond {percent(comparison.threshold)} was found"
    open_ = [
        f"{comparison.counts[verdict]} are {why}"
        for verdict, why in (
            (NOISY, "too noisy to judge"),
            (FEW, "measured too few times to judge"),
        )
        if verdict in comparison.counts
    ]
    if open_:
        return f"{clean}; of {comparison.judged} series {' and '.join(open_)}"
    return clean


def few(comparison):
    """Return how many runs would be enough, if as many are disturbed."""
    need = ranks.needed(comparison.judged, comparison.level)
    rows = [row for row in comparison.rows if row.verdict == FEW]
    counted = sorted({row.counted for row in rows})
    have = ", ".join(f"{base} and {new}" for base, new in counted)
    quiet = min(
        count / of
        for row in rows
        for count, of in zip(row.counted, row.runs, strict=True)
    )
    runs = math.ceil(need / quiet)
    return (
        f"{have} runs count, but {_counted(comparison.judged, 'series')} "
        f"compared together need {need} a side; use pyperf with -p {runs}, "
        f"or {IN_A_CLONE}scripts/run.py with --repeat {runs}"
    )


def rows(comparison, every=False):
    """Return the table's rows: what changed, or all series."""
    return [
        _row(row)
        for row in comparison.rows
        if every or row.verdict in (SLOWER, FASTER)
    ]


def _row(row):
    runs = "{} and {}".format(*(row.counted or row.runs))
    start = f"{MARKS[row.verdict]} {row.verdict}"
    if not row.finding:
        return [start, row.why, "", runs, row.page, row.series]
    noise = percent(row.finding.noise) if row.finding.noise < 9 else "–"
    return [
        start, str(row.finding.ratio), noise, runs, row.page, row.series
    ]  # fmt: skip


def _disturbed(comparison):
    """Return {page: how many of its runs do not count}."""
    most = {}
    for row in comparison.rows:
        if row.finding and row.counted != row.runs:
            less = map(operator.sub, row.runs, row.counted)
            most[row.page] = tuple(map(max, less, most.get(row.page, (0, 0))))
    return {
        page: f"up to {base} runs of the base and {new} of the new side do "
        "not count, because another program used the core"
        for page, (base, new) in most.items()
    }


def _unfit(comparison):
    """Return {page: which of its series are not comparable}."""
    counts = collections.defaultdict(collections.Counter)
    for row in comparison.rows:
        if row.why and row.page not in comparison.incomparable:
            counts[row.page][row.why] += 1
    return {
        page: ", ".join(f"{n} series {why}" for why, n in count.items())
        for page, count in counts.items()
    }


def _by_page(sentences, name):
    """Yield (name, sentence) for pages that share a sentence."""
    of = {}
    for page, sentence in sentences.items():
        of.setdefault(sentence, []).append(page)
    for sentence, pages in of.items():
        yield name, f"{', '.join(pages)}: {sentence}"


def _counted(count, what):
    plural = "" if count == 1 or what.endswith("s") else "s"
    return f"{count} {what}{plural}"
