"""What a sweep says: a table a kernel, sentences and figures."""

import itertools
import math

from onthefly import figures
from onthefly.figures import ticks
from onthefly.findings import listed
from onthefly.libraries import LIBRARIES
from onthefly.samples import MIN_ROUNDS
from sweeping.steps import THRESHOLD, find, rises

LINES = 5  # in a picture
HEAD = ("size", "version", "time an element", "interval",
        "of the size before", "of the first version", "step",
        "note")  # fmt: skip


def title(library):
    """Return a library's name as it is written in a sentence."""
    for known in LIBRARIES.values():
        if library in known.packages:
            return known.name
    return library.capitalize()


def table(sweep, kernel):
    """Return (head, rows) of a kernel's table, all of them text.

    A column that no row fills is left out.
    """
    times = sweep.timings(kernel)
    rows = [
        [f"{size:,}", *cells]
        for size in sweep.sizes
        for cells in _of_size(times, size)
    ]
    rows += [
        ["–", row.version, *[""] * (len(HEAD) - 3),
         row.reason or row.failed.get(kernel) or "not measured yet"]
        for row in sweep.rows
        if row.version not in times.names
    ]  # fmt: skip
    filled = [any(column) for column in zip(*rows, strict=True)]
    return (
        list(itertools.compress(HEAD, filled)),
        [list(itertools.compress(row, filled)) for row in rows],
    )


def _of_size(times, size):
    """Yield a row for each version, without its size."""
    stepped = {step.after: step.ratio.short for step in find(times, size)}
    first = times.names[0] if times.names else ""
    for version in times.names:
        cost = times.seconds(version, size) / size
        before = {n: ratio for (_, n), ratio in rises(times, version).items()}
        over = "1" if version == first else times.ratio(version, first, size)
        yield [
            version,
            cost.short,
            cost.interval,
            str(before.get(size, "")),
            str(over),
            stepped.get(version, ""),
            times.seconds(version, size).note,
        ]


def finding(sweep, kernels):
    """Return in sentences where kernels step, and where an element rises."""
    every = {kernel: sweep.timings(kernel) for kernel in kernels}
    few = min(len(s.values) for times in every.values() for s in times)
    if few < MIN_ROUNDS:
        return (
            f"{few} processes a version are too few to tell a step: "
            f"{MIN_ROUNDS} at least."
        )
    stepped, flat = [], []
    for kernel, times in every.items():
        parts = [
            f"{step.ratio.short} as long from {step.after} on as up to "
            f"{step.before}{_at(sweep, size)}"
            for size in sweep.sizes
            for step in find(times, size)
        ]
        if parts:
            stepped.append(f"{kernel} takes {listed(parts)}")
        else:
            flat.append(kernel)
    texts = ["; ".join(stepped)] if stepped else []
    texts += [f"No step is found in {listed(flat)}"] if flat else []
    if len(sweep.sizes) > 1:
        texts += [_rising(k, times) for k, times in every.items()]
    return f"{'. '.join(texts)}."


def _at(sweep, size):
    return f" at size {size:,}" if len(sweep.sizes) > 1 else ""


def _rising(kernel, times):
    """Return under which versions an element costs more in larger calls."""
    risen, level, unknown = [], [], []
    for version in times.names:
        ratios = rises(times, version)
        pair = max(ratios, key=lambda pair: ratios[pair].value)
        if ratios[pair] > 1 + THRESHOLD:
            risen.append(
                f"{ratios[pair].short} as much at {pair[1]:,} as at "
                f"{pair[0]:,} under {version}"
            )
        elif all(q.high <= 1 + THRESHOLD for q in ratios.values()):
            level.append(version)
        else:
            unknown.append(version)
    parts = [f"costs {listed(risen)}"] if risen else []
    parts += [f"costs no more under {listed(level)}"] if level else []
    parts += [f"may cost more under {listed(unknown)}"] if unknown else []
    return f"In larger calls, an element of {kernel} {'; it '.join(parts)}"


def charts(sweep):
    """Return the Charts of a sweep: times against versions.

    Of one size, each kernel is a line, over its first version; of several,
    a picture a kernel has the time of an element, a line a size.
    """
    done = [k for k in sweep.kernels if sweep.timings(k).names]
    if len(sweep.sizes) > 1:
        return [_of_sizes(sweep, kernel) for kernel in done]
    pictures = math.ceil(len(done) / LINES)
    return [_of_kernels(sweep, done[k::pictures]) for k in range(pictures)]


def _of_kernels(sweep, kernels):
    (size,) = sweep.sizes
    series, marks = {}, {}
    for kernel in kernels:
        times = sweep.timings(kernel)
        first = times.names[0]
        series[kernel] = {n: times.ratio(n, first, size) for n in times.names}
        marks[kernel] = _marks(times, size)
    y = "time a call, first version = 1"
    return _course(sweep, series, marks, y, finding(sweep, kernels))


def _of_sizes(sweep, kernel):
    times = sweep.timings(kernel)
    every = sweep.sizes
    # As many as a picture has lines: the ends, and others between.
    count = min(LINES, len(every))
    shown = [every[k * (len(every) - 1) // (count - 1)] for k in range(count)]
    names = {size: f"{size:,} elements" for size in shown}
    series = {
        names[size]: {n: times.seconds(n, size) / size for n in times.names}
        for size in shown
    }
    marks = {names[size]: _marks(times, size) for size in shown}
    y = f"time an element of {kernel}"
    chart = _course(sweep, series, marks, y, finding(sweep, [kernel]))
    chart.figure.axes[0].yaxis.set_major_formatter(ticks.seconds)
    return chart


def _marks(times, size):
    return [(step.before, step.after) for step in find(times, size)]


def _course(sweep, series, marks, y, text):
    return figures.course(
        series,
        places=[row.version for row in sweep.rows],
        x=f"version of {title(sweep.library)}",
        y=y,
        marks=marks,
        finding=text,
    )
