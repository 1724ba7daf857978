"""What a sweep says: where a kernel's time steps from one version to the
next, and what an element costs in larger calls, in tables, words and figures.
"""

import itertools
import math
from typing import NamedTuple

from onthefly import figures
from onthefly.figures import ticks
from onthefly.findings import listed
from onthefly.libraries import LIBRARIES
from onthefly.quantity import Quantity
from onthefly.samples import MIN_ROUNDS

THRESHOLD = 0.05  # a smaller change is none: code lies elsewhere in memory
LINES = 5  # in a picture
HEAD = ("size", "version", "time an element", "interval",
        "of the size before", "of the first version", "step",
        "note")  # fmt: skip


class Step(NamedTuple):
    """A step of a kernel's time between two neighbouring versions.

    before, after  the versions on its two sides
    ratio          Quantity: the time after it over the time before
    """

    before: str
    after: str
    ratio: Quantity


def steps(times, size):
    """Return the Steps of a Timings by version, oldest version first.

    asv fits a piecewise constant function to the logarithms of the medians,
    in which a slower version's noise is no larger than another's.  Between
    two pieces the interval of the ratio, process by process, decides.
    Source: asv, Regression detection; Friedrich et al., J. Comput. Graph.
    Stat. 17(1), 2008.
    """
    from asv.step_detect import detect_steps

    names = times.names
    pieces = detect_steps(
        [math.log(times.seconds(name, size).value) for name in names]
    )
    pairs = [(names[k - 1], names[k]) for k, *_ in pieces[1:]]
    found = [Step(*pair, times.ratio(*pair[::-1], size)) for pair in pairs]
    return [
        step
        for step in found
        if step.ratio > 1 + THRESHOLD or step.ratio < 1 / (1 + THRESHOLD)
    ]


def rises(times, version):
    """Return {(size, next size): Quantity}: an element's time, over that of
    the size before.
    """
    return {
        (one, two): times.seconds(version, two)
        / times.seconds(version, one)
        * (one / two)
        for one, two in itertools.pairwise(times.sizes(version))
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
    stepped = {step.after: step.ratio.short for step in steps(times, size)}
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
    every = {kernel: sweep.timings(kernel) for kernel in kernels}
    few = min(len(s.values) for times in every.values() for s in times)
    if few < MIN_ROUNDS:
        return (
            f"{few} processes a version are too few to tell a step: "
            f"{MIN_ROUNDS} at least."
        )
    texts = [_stepping(sweep.sizes, *item) for item in every.items()]
    if len(sweep.sizes) > 1:
        texts += [_rising(*item) for item in every.items()]
    return " ".join(texts)


def _stepping(sizes, kernel, times):
    parts = [
        f"{step.ratio.short} as long from {step.after} on as up to "
        f"{step.before}" + (f" at size {size:,}" if len(sizes) > 1 else "")
        for size in sizes
        for step in steps(times, size)
    ]
    if not parts:
        return f"No step is seen in {kernel}."
    return f"{kernel} takes {listed(parts)}."


def _rising(kernel, times):
    parts = [
        f"{ratio.short} as much at {large:,} as at {small:,} under {version}"
        for version in times.names
        for (small, large), ratio in rises(times, version).items()
        if ratio > 1 + THRESHOLD
    ]
    if not parts:
        return f"An element of {kernel} is not seen to cost more when larger."
    return f"An element of {kernel} costs {listed(parts)}."


def charts(sweep):
    """Return the Charts of a sweep: times against versions.

    Of one size, each kernel is a line, over its first version; of several,
    a picture a kernel has the time of an element, a line a size.
    """
    every = {k: sweep.timings(k) for k in sweep.kernels}
    every = {kernel: times for kernel, times in every.items() if len(times)}
    if len(sweep.sizes) > 1:
        return [_of_sizes(sweep, *item) for item in every.items()]
    pictures = math.ceil(len(every) / LINES)
    return [
        _of_kernels(sweep, {k: every[k] for k in [*every][first::pictures]})
        for first in range(pictures)
    ]


def _of_kernels(sweep, every):
    (size,) = sweep.sizes
    y = "time a call, first version = 1"
    series = {
        kernel: {n: times.ratio(n, times.names[0], size) for n in times.names}
        for kernel, times in every.items()
    }
    marks = {kernel: _marks(times, size) for kernel, times in every.items()}
    return _course(sweep, series, marks, y, list(every))


def _of_sizes(sweep, kernel, times):
    sizes = sweep.sizes
    # As many as a picture has lines: the ends, and others between.
    last = min(LINES, len(sizes)) - 1
    shown = [sizes[k * (len(sizes) - 1) // last] for k in range(last + 1)]
    names = {f"{size:,} elements": size for size in shown}
    series = {
        name: {n: times.seconds(n, size) / size for n in times.names}
        for name, size in names.items()
    }
    marks = {name: _marks(times, size) for name, size in names.items()}
    y = f"time an element of {kernel}"
    chart = _course(sweep, series, marks, y, [kernel])
    chart.figure.axes[0].yaxis.set_major_formatter(ticks.seconds)
    return chart


def _marks(times, size):
    return [(step.before, step.after) for step in steps(times, size)]


def _course(sweep, series, marks, y, kernels):
    return figures.course(
        series,
        places=[row.version for row in sweep.rows],
        x=f"version of {title(sweep.library)}",
        y=y,
        marks=marks,
        finding=finding(sweep, kernels),
    )
