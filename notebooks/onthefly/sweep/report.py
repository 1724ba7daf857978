"""What a sweep says: where a kernel's time steps from one version to the
next, and what an element costs in larger calls; in tables, words, figures.
"""

import itertools
import math

from onthefly import figures
from onthefly.measure.libraries import LIBRARIES
from onthefly.terminal.words import listed

THRESHOLD = 0.05  # a smaller change is none: code lies elsewhere in memory
LINES = 5  # in a picture
HEAD = ("size", "version", "time an element", "interval",
        "of the size before", "of the first version", "step",
        "note")  # fmt: skip


def steps(times, size):
    """Return {(version, next version): Quantity}: where the time steps.

    times  Timings by version, oldest first

    asv fits a piecewise constant function to the logarithms of the medians,
    in which a slower version's noise is no larger than another's.  Between
    two pieces the interval of the ratio, process by process, decides.  The
    last version is always asked: a piece of one costs the fit too much.
    Source: asv, Regression detection; Friedrich et al., J. Comput. Graph.
    Stat. 17(1), 2008.
    """
    from asv.step_detect import detect_steps

    names = times.names
    medians = (times.seconds(name, size).value for name in names)
    pieces = detect_steps([math.log(median) for median in medians])
    starts = {start for start, *_ in pieces[1:]} | {len(names) - 1}
    pairs = [(names[k - 1], names[k]) for k in sorted(starts) if k > 0]
    ratios = {(a, b): times.ratio(b, a, size) for a, b in pairs}
    return {
        pair: ratio
        for pair, ratio in ratios.items()
        if ratio > 1 + THRESHOLD or ratio < 1 / (1 + THRESHOLD)
    }


def rises(times, version):
    """Return {(size, next size): Quantity}: the time of an element in a call
    of a size, over that in one of the size before.
    """
    seconds = {n: times.seconds(version, n) for n in times.sizes(version)}
    return {
        (one, two): seconds[two] / seconds[one] * (one / two)
        for one, two in itertools.pairwise(seconds)
    }


def title(library):
    """Return a library's name as it is written in a sentence."""
    names = (x.name for x in LIBRARIES.values() if library in x.packages)
    return next(names, library.capitalize())


def table(sweep, kernel):
    """Return (head, rows) of a kernel's table, all of them text.

    A column that no row fills is left out.
    """
    times = sweep.timings(kernel)
    rows = [row for size in sweep.sizes for row in _of_size(times, size)]
    rows += [
        ["–", row.version, *[""] * (len(HEAD) - 3),
         row.reason or row.failed.get(kernel) or "not measured yet"]
        for row in sweep.rows
        if row.version not in times.names
    ]  # fmt: skip
    filled = [any(column) for column in zip(*rows, strict=True)]
    head, *rows = (
        list(itertools.compress(row, filled)) for row in (HEAD, *rows)
    )
    return head, rows


def _of_size(times, size):
    """Yield a row for each version."""
    stepped = {new: q.short for (_, new), q in steps(times, size).items()}
    for version in times.names:
        seconds, first = times.seconds(version, size), times.names[0]
        before = {n: ratio for (_, n), ratio in rises(times, version).items()}
        over = "1" if version == first else times.ratio(version, first, size)
        yield [
            f"{size:,}",
            version,
            (seconds / size).short,
            (seconds / size).interval,
            str(before.get(size, "")),
            str(over),
            stepped.get(version, ""),
            seconds.note,
        ]


def finding(sweep, kernels):
    """Return in sentences where kernels step, and where an element rises."""
    texts, level = [], []
    for kernel in kernels:
        times = sweep.timings(kernel)
        stepping = [
            f"{kernel} at size {size:,}: {after} is {_changed(ratio)} "
            f"than {before}."
            for size in sweep.sizes
            for (before, after), ratio in steps(times, size).items()
        ]
        level += [] if stepping else [kernel]
        rising = [
            f"Under {version} an element of {kernel} costs {ratio.short} as "
            f"much at size {large:,} as at {small:,}."
            for version in times.names
            for (small, large), ratio in rises(times, version).items()
            if ratio > 1 + THRESHOLD
        ]
        texts += stepping + rising
    if level:
        texts.append(
            f"No step was found in {listed(level)}. The tables have the "
            "ratio of each version."
        )
    return " ".join(texts)


def _changed(ratio):
    """Return a ratio of times, new over old, as a person says it."""
    slower = ratio.value > 1
    return (
        f"{ratio.about} slower" if slower else f"{(1 / ratio).about} faster"
    )


def charts(sweep):
    """Return the Charts of a sweep: the time of an element by version.

    Of one size, each kernel is a line; of several, a picture a kernel has a
    line a size.
    """
    every = [k for k in sweep.kernels if len(sweep.timings(k))]
    many = len(sweep.sizes) > 1
    count = len(every) if many else math.ceil(len(every) / LINES)
    return [_chart(sweep, every[k::count]) for k in range(count)]


def _chart(sweep, kernels):
    sizes = sweep.sizes[:: math.ceil(len(sweep.sizes) / LINES)]
    series, marks = {}, {}
    for kernel in kernels:
        times = sweep.timings(kernel)
        first = times.seconds(times.names[0], sizes[0]) / sizes[0]
        for size in sizes:
            name = f"{kernel}, size {size:,}" if sizes[1:] else kernel
            series[name] = {
                version: times.seconds(version, size) / size / first
                for version in times.names
            }
            marks[name] = list(steps(times, size))
    return figures.course(
        series,
        places=[row.version for row in sweep.rows],
        x=f"version of {title(sweep.library)}",
        y="time an element, first = 1",
        marks=marks,
        finding=finding(sweep, kernels),
    )
