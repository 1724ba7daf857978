"""How often a comparison calls what did not change, and misses what did."""

import numpy as np

from commandline import ROOT
from comparing import differences, judge, planted, quiet, ranks, sides
from onthefly.refused import Refused

RECORD = ROOT / "book" / "regression.json"  # what came out, for the book
# What each step of the judgement lets through, the last one being a call
# that ends compare.py with exit code 1 where it is a slow-down.
ALONE = "each series by itself"
TOGETHER = "all series together"
BEYOND = "and beyond the A/A noise"
MATTERS = "and by more than matters"
STAGES = (ALONE, TOGETHER, BEYOND, MATTERS)
FALSE, FOUND = 0.01, 0.9  # the aims: at most, at least
EACH = (4, 6, 8, 10, 15, 20, 30)  # runs a side that are tried, too
FEWEST = 5  # trials that are worth a share


def few(called, of):
    """Tell whether so many false alarms keep the aim."""
    return called <= FALSE * of


def most(found, trials):
    """Tell whether the slow-down was found often enough."""
    return found >= FOUND * trials


def let_through(findings):
    """Return {step: how many series it lets through}."""
    level, matters = ranks.LEVEL, 1 + ranks.THRESHOLD
    return {
        ALONE: sum(f.p <= level for f in findings),
        TOGETHER: sum(f.adjusted <= level for f in findings),
        BEYOND: sum(f.called for f in findings),
        MATTERS: sum(
            f.called and not 1 / matters <= f.ratio.value <= matters
            for f in findings
        ),
    }


def unchanged(side, splits, seed=0):
    """Return what is called among runs of the same thing, JSON-ready.

    side    a Side; of each page, as many runs count as all pages have
    splits  how often they are halved by chance
    """
    count = min(map(len, side.pages.values()))
    if count < 2:
        raise Refused(f"{side.name}: one run; give at least two to halve")
    check(side)
    places = _places(side, count)
    if not places:
        raise Refused(f"{side.name}: no series is in every run; name others")
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(count) for _ in range(splits)]
    found = {}
    for name, number in ranks.NUMBERS.items():
        series = np.array(
            [ranks.one_each([runs], number)[0] for _, runs in places]
        )
        groups = [place for place, _ in places]
        halved = [_halved(groups, series, order) for order in orders]
        first = _halved(groups, series, np.arange(count))
        found[name] = {
            "series": len(series),
            "noise": float(np.median([f.noise for f in first])),
            "called": _total(map(let_through, halved)),
            "in order": let_through(first),
        }
    return {"runs": count, "splits": splits, "numbers": found}


def check(side):
    """Raise Refused where a Side's runs are not all of one thing."""
    for page, runs in side.pages.items():
        if words := differences.apart(differences.forbidding, runs, runs):
            raise Refused(
                f"{side.name}: {page}: {words}; begin with an empty --build"
            )


def _places(side, count):
    """Return [((page, group), samples of each run)] of the fit series."""
    return [
        ((page, group), samples)
        for page, runs in side.pages.items()
        for (group, *_), samples in judge.samples(runs[:count]).items()
        if not judge.unfit((samples, samples), (runs[:count], runs[:count]))
    ]


def _halved(groups, series, order):
    half = len(order) // 2
    pairs = zip(
        series[:, order[:half]], series[:, order[half : 2 * half]],
        strict=True,
    )  # fmt: skip
    return ranks.findings(quiet.kept(groups, list(pairs)))


def _total(counts):
    counts = list(counts)
    return {step: sum(count[step] for count in counts) for step in STAGES}


def trials(build, count, each):
    """Return what is found of the planted slow-down, JSON-ready.

    build  where both checkouts ran in turns: `against` is the unchanged one
    count  of the trials; none has a run in common with another
    each   runs of a side in a trial
    """
    pairs = paired(build)
    if len(pairs) < count * each:
        raise Refused(
            f"{build}: {len(pairs)} pairs of runs, not {count * each}; "
            "start it again: it goes on where it was"
        )
    found = {
        name: _trials(build, pairs[: count * each], each, number)
        for name, number in ranks.NUMBERS.items()
    }
    number = ranks.NUMBERS[ranks.NUMBER]
    tried = {
        size: _trials(build, pairs[: count * each], size, number)
        for size in EACH
        if count * each >= FEWEST * size
    }
    return {
        "page": planted.PAGE,
        "kernel": planted.KERNEL,
        "work": planted.WORK,
        "runs": each,
        "trials": count,
        "numbers": found,
        "by runs": [
            {"runs": size, "trials": len(some), "found": times_found(some)}
            for size, some in tried.items()
        ],
    }


def times_found(trials):
    """Return in how many trials a slow-down was found."""
    return sum(trial["called"] > 0 for trial in trials)


def paired(build):
    """Return the numbers of the repeats that both checkouts have, sorted."""
    have = [
        {path.parents[1].name
         for path in build.glob(f"{side}/[0-9]*/*/{planted.PAGE}.json")}
        for side in ("against", "repeats")
    ]  # fmt: skip
    return sorted(have[0] & have[1])


def _trials(build, pairs, each, number):
    """Return what is found in as many trials as the pairs allow."""
    return [
        _trial(build, pairs[k : k + each], number)
        for k in range(0, len(pairs) - each + 1, each)
    ]


def _trial(build, numbers, number):
    base, new = (
        sides.gathered(
            side,
            [path for run in numbers for path in
             (build / side / run).glob(f"*/{planted.PAGE}.json")],
        )
        for side in ("against", "repeats")
    )  # fmt: skip
    check(base)
    check(new)
    found = judge.compare(base, new, despite=("lab",), number=number)
    own = [row for row in found.rows if row.name in planted.SERIES]
    own = [row for row in own if row.finding]
    if not own:
        raise Refused(
            f"{build}: no series of {planted.PAGE} times the kernel; begin "
            "with an empty --build, or mend comparing.planted"
        )
    most = max(own, key=lambda row: row.size or 0).finding.ratio
    return {
        "series": found.judged,
        "slowed": len(own),
        "called": sum(row in found.regressions for row in own),
        "others called": sum(
            row.finding.called
            for row in found.rows
            if row.finding and row.name not in planted.SERIES
        ),
        "others": found.judged - len(own),
        "ratio": [most.value, most.low, most.high],
    }
