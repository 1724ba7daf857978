"""What a sweep says: its table, its figures, its finding."""

import math

from onthefly import figures, findings
from onthefly.libraries import LIBRARIES
from onthefly.quantity import MIN_ROUNDS
from sweeping import steps

HEAD = ("version", "time a call", "interval", "of the first", "step",
        "note")  # fmt: skip
LINES = 5  # in a picture


def named(library):
    """Return a library's name as it is written in a sentence."""
    for known in LIBRARIES.values():
        if library in known.packages:
            return known.name
    return library.capitalize()


def rows(sweep, kernel):
    """Return a kernel's table as lists of text, one row a version."""
    times = steps.timings(sweep, kernel)
    names = times.names
    found = {step.after: step.ratio.short for step in steps.find(times)}
    lines = []
    for row in sweep.rows:
        name = row.version
        if name not in names:
            why = row.reason or row.lost.get(kernel) or "not measured yet"
            lines.append([name, "–", "", "", "", why])
            continue
        seconds = times.seconds(name)
        of_first = "1" if name == names[0] else times.ratio(name, names[0])
        lines.append([name, seconds.short, seconds.interval, str(of_first),
                      found.get(name, ""), seconds.note])  # fmt: skip
    return lines


def finding(sweep, kernels):
    """Return in a sentence where the times of kernels step, and which not."""
    times = {k: steps.timings(sweep, k) for k in kernels}
    few = min(len(s.values) for some in times.values() for s in some)
    if few < MIN_ROUNDS:
        return (
            f"{few} processes a version are too few to tell a step: "
            f"{MIN_ROUNDS} at least."
        )
    found = {k: steps.find(some) for k, some in times.items()}
    stepped = [
        f"{kernel} takes {findings.listed([str(step) for step in some])}"
        for kernel, some in found.items()
        if some
    ]
    parts = ["; ".join(stepped)] if stepped else []
    if flat := [kernel for kernel, some in found.items() if not some]:
        parts.append(f"No step is found in {findings.listed(flat)}")
    return f"{'. '.join(parts)}."


def charts(sweep):
    """Return the Charts of a sweep, with at most five kernels in each."""
    done = [k for k in sweep.kernels if steps.timings(sweep, k).names]
    pictures = math.ceil(len(done) / LINES)
    return [_chart(sweep, done[k::pictures]) for k in range(pictures)]


def _chart(sweep, kernels):
    """Return times against versions, each over that of the first."""
    series, marks = {}, {}
    for kernel in kernels:
        times = steps.timings(sweep, kernel)
        first = times.names[0]
        series[kernel] = {n: times.ratio(n, first) for n in times.names}
        marks[kernel] = [(s.before, s.after) for s in steps.find(times)]
    return figures.course(
        series,
        places=[row.version for row in sweep.rows],
        x=f"version of {named(sweep.library)}",
        y="time a call, first version = 1",
        marks=marks,
        finding=finding(sweep, kernels),
    )
