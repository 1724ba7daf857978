"""What is said of a comparison, in the terminal and on the page."""

import collections
import operator

from comparing import ranks
from comparing.ranks import APART, FASTER, FEW, NOISY, SLOWER, UNCHANGED
from onthefly.figures import percent

MARKS = {
    SLOWER: "▼",
    FASTER: "▲",
    NOISY: "?",
    UNCHANGED: "=",
    FEW: "…",
    APART: "–",
}
HEAD = ["", "new / base", "A/A noise", "runs", "page", "series"]


def findings(found):
    """Return [(name, sentence)] of a Comparison, the verdict first."""
    lines = [("verdict", verdict(found))]
    lines += [
        (name, f"{side.name}: {_counted(side.runs, 'run')} of {side.whose}")
        for name, side in (("base", found.base), ("new", found.new))
    ]
    counts = ", ".join(f"{n} {v}" for v, n in found.counts.items())
    lines.append(("series", counts or "none in common"))
    if FEW in found.counts:
        lines.append((FEW, few(found)))
    lines += _by_page(_disturbed(found), "disturbed")
    lines += _by_page(found.said, "differs")
    lines += _by_page(found.unlike, APART)
    lines += _by_page(_apart(found), APART)
    return lines


def verdict(found):
    """Return what came out, in a sentence."""
    if bad := found.regressions:
        most = max(row.finding.ratio.value for row in bad)
        return (
            f"{_counted(len(bad), 'regression')}: slower by more than "
            f"{percent(found.threshold)}, the worst {most:.2f}×"
        )
    if not found.judged:
        return "nothing can be compared"
    if found.counts.get(FEW) == found.judged:
        return "nothing can be called: too few repeats"
    clean = f"no regression beyond {percent(found.threshold)} was found"
    open_ = [
        f"{found.counts[verdict]} are {why}"
        for verdict, why in (
            (NOISY, "too noisy to tell"),
            (FEW, "run too few times to tell"),
        )
        if verdict in found.counts
    ]
    if open_:
        return f"{clean}; of {found.judged} series {' and '.join(open_)}"
    return clean


def few(found):
    """Return how many runs would be enough."""
    need = ranks.needed(found.judged, found.level)
    runs = sorted({row.counted for row in found.rows if row.verdict == FEW})
    have = ", ".join(f"{base} and {new}" for base, new in runs)
    return (
        f"{have} runs; {_counted(found.judged, 'series')} compared together "
        f"need {need} a side: scripts/run.py --repeat {need}"
    )


def rows(found, every=False):
    """Return the table's rows: what changed, or all series."""
    return [
        _row(row)
        for row in found.rows
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


def _disturbed(found):
    """Return {page: how many of its runs do not count}."""
    most = {}
    for row in found.rows:
        if row.finding and row.counted != row.runs:
            lost = map(operator.sub, row.runs, row.counted)
            most[row.page] = tuple(map(max, lost, most.get(row.page, (0, 0))))
    return {
        page: f"up to {base} runs of the base and {new} of the new side; "
        "something else took the core, and they do not count"
        for page, (base, new) in most.items()
    }


def _apart(found):
    """Return {page: which of its series are not comparable}."""
    counts = collections.defaultdict(collections.Counter)
    for row in found.rows:
        if row.why and row.page not in found.unlike:
            counts[row.page][row.why] += 1
    return {
        page: ", ".join(f"{n} series {why}" for why, n in count.items())
        for page, count in counts.items()
    }


def _by_page(said, name):
    """Yield (name, sentence) for pages of which the same is said."""
    of = {}
    for page, words in said.items():
        of.setdefault(words, []).append(page)
    for words, pages in of.items():
        yield name, f"{', '.join(pages)}: {words}"


def _counted(count, what):
    plural = "" if count == 1 or what.endswith("s") else "s"
    return f"{count} {what}{plural}"
