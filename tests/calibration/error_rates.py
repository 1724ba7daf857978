"""How often a comparison calls what did not change, and misses what did."""

import numpy as np
import slow_kernel

from onthefly.compare import background, judge, ranks, runs
from onthefly.compare.differences import differences, required
from reading.calibration import (
    ALONE,
    BEYOND,
    MATTERS,
    STAGES,
    TOGETHER,
    times_found,
)

EACH = (4, 6, 8, 10, 15, 20, 30)  # runs a side that are tried, too
FEWEST = 5  # trials that are worth a share


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
    check(side)
    count = min(map(len, side.pages.values()))
    places = _places(side, count)
    assert places, f"{side.name}: no series is in every run"
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(count) for _ in range(splits)]
    rates = {}
    for name, number in ranks.NUMBERS.items():
        series = np.array(
            [ranks.one_each([samples], number)[0] for _, samples in places]
        )
        groups = [place for place, _ in places]
        halved = [_halved(groups, series, order) for order in orders]
        first = _halved(groups, series, np.arange(count))
        rates[name] = {
            "series": len(series),
            "noise": float(np.median([f.noise for f in first])),
            "called": _total(map(let_through, halved)),
            "in order": let_through(first),
        }
    return {"runs": count, "splits": splits, "numbers": rates}


def check(side):
    """See that all runs of a Side are of one thing."""
    for page, some in side.pages.items():
        words = differences(required, some, some)
        assert not words, f"{side.name}: {page}: {words}; empty its folder"


def _places(side, count):
    """Return [((page, group), samples of each run)] of the fit series."""
    return [
        ((page, group), samples)
        for page, some in side.pages.items()
        for (group, *_), samples in judge.samples(some[:count]).items()
        if not judge.unfit((samples, samples), (some[:count], some[:count]))
    ]


def _halved(groups, series, order):
    half = len(order) // 2
    pairs = zip(
        series[:, order[:half]], series[:, order[half : 2 * half]],
        strict=True,
    )  # fmt: skip
    return ranks.findings(background.undisturbed(groups, list(pairs)))


def _total(counts):
    counts = list(counts)
    return {step: sum(count[step] for count in counts) for step in STAGES}


def trials(build, count, each):
    """Return how often the injected slow-down is detected, JSON-ready.

    build  where both checkouts ran in turns: `against` is the unchanged one
    count  of the trials; none has a run in common with another
    each   runs of a side in a trial
    """
    pairs = paired(build)[: count * each]
    assert len(pairs) == count * each, f"{build}: {len(pairs)} pairs of runs"
    number = ranks.NUMBERS[ranks.NUMBER]
    by_runs = {
        size: _trials(build, pairs, size, number)
        for size in EACH
        if count * each >= FEWEST * size
    }
    return {
        "page": slow_kernel.PAGE,
        "kernel": slow_kernel.KERNEL,
        "work": slow_kernel.WORK,
        "runs": each,
        "trials": count,
        "numbers": {
            name: _trials(build, pairs, each, number)
            for name, number in ranks.NUMBERS.items()
        },
        "by runs": [
            {"runs": size, "trials": len(some), "found": times_found(some)}
            for size, some in by_runs.items()
        ],
    }


def paired(build):
    """Return the numbers of the sessions that both checkouts have."""
    counts = [len(side.pages[slow_kernel.PAGE]) for side in _sides(build)]
    return list(range(min(counts)))


def _sides(build):
    """Return the Sides of both checkouts: the unchanged one's, the other."""
    return [runs.read(str(build / x)) for x in ("against/data", "data")]


def _trials(build, pairs, each, number):
    """Return what is detected in as many trials as the pairs allow."""
    return [
        _trial(build, pairs[k : k + each], number)
        for k in range(0, len(pairs) - each + 1, each)
    ]


def _trial(build, numbers, number):
    page = slow_kernel.PAGE
    base, new = (
        runs.Side(side.name, {page: [side.pages[page][k] for k in numbers]})
        for side in _sides(build)
    )
    check(base)
    check(new)
    comparison = judge.compare(base, new, despite=("lab",), number=number)
    judged = [row for row in comparison.rows if row.finding]
    own = [row for row in judged if row.name in slow_kernel.SERIES]
    assert own, f"{build}: no series of {slow_kernel.PAGE} times the kernel"
    largest = max(own, key=lambda row: row.size or 0).finding.ratio
    return {
        "series": comparison.judged,
        "slowed": len(own),
        "called": sum(row in comparison.regressions for row in own),
        "others called": sum(
            row.finding.called for row in judged if row not in own
        ),
        "others": len(judged) - len(own),
        "ratio": [largest.value, largest.low, largest.high],
    }
