"""The report on a Measurement: plain text, and one HTML page."""

import textwrap

from commandline import aligned
from confirming import gains
from confirming.findings import findings, share
from confirming.numba_trial import NJIT
from confirming.pool_trials import PAYS
from confirming.tables import side_by_side, speeds, tables
from onthefly import figures
from onthefly.page import machine_line
from onthefly.quantity import INTERVAL
from templates import render

INDENT = 11  # columns of a finding's name


def text(measurement, width):
    """Return the report as plain text of at most `width` columns."""
    parts = [
        measurement.request.target,
        textwrap.fill(machine_line(measurement.machine), width),
        "",
    ]
    parts += [
        textwrap.fill(
            f"{name:<{INDENT}}{sentence}",
            width,
            subsequent_indent=" " * INDENT,
            break_long_words=False,
        )
        for name, sentence in findings(measurement)
    ]
    for title, head, rows in tables(measurement):
        parts += ["", *textwrap.wrap(title, width), *_fit(head, rows, width)]
    return "\n".join(parts)


def _fit(head, rows, width):
    """Return lines of a table, without intervals where it is too wide."""
    lines = aligned([head, *rows])
    if max(map(len, lines)) > width:
        short = [[cell.partition(" (")[0] for cell in row] for row in rows]
        lines = aligned([head, *short])
    return lines


def page(measurement):
    """Return the report as one HTML page that needs no other file."""
    m = measurement
    pictures = [_cost(m), _by_threads(m)]
    if len(m.threads.sizes) > 1:
        pictures.insert(1, _by_size(m))
    return render(
        "confirm.html",
        request=m.request,
        machine=m.machine,
        machine_line=machine_line(m.machine),
        findings=findings(m),
        figures=pictures,
        tables=tables(m),
        interval=INTERVAL,
        pays=PAYS,
    )


def _cost(m):
    """Return the figure of time against size."""
    ends = " and ".join(
        f"{m.seconds[n].short} at n = {n:,}"
        for n in sorted({m.sizes[0], m.sizes[-1]})
    )
    own, fast = "as it is", m.numba
    lines, reading = {own: m.seconds}, "too few sizes for a fit"
    if m.fit:
        off = share(m.fit.worst)
        reading = f"the fit a + b·n (dashed) is off by at most {off}"
    if fast.gains:
        lines[NJIT] = {n: fast.times.seconds(NJIT, n) for n in fast.gains}
        most = max(fast.gains)
        gain = fast.gains[most].short
        reading += f"; compiled it is {gain} as fast at n = {most:,}"
    return figures.as_html(
        figures.lines(
            lines,
            x="size n",
            y="time a call",
            time="y",
            fits={own: m.fit} if m.fit else None,
        ),
        "cost",
        alt=f"Time of a call against its size: {ends}; {reading}",
        caption=f"A call takes {ends}; {reading}.",
    )


def _by_size(m):
    """Return the figure of the speed-up in pools against size."""
    reading, _ = gains.threads(m)
    if m.processes.best:
        most = max(m.processes.best)
        workers, speed = m.processes.best[most]
        reading += f"; {workers} processes {speed.short} at n = {most:,}"
    start = m.threads_pay_from
    middle = start not in (None, min(m.threads.best))
    every = {
        name: by_size
        for name, by_size in speeds(m).items()
        if len(by_size) > 1
    }
    most = 4  # threads, and as many processes
    shown = [n for n in every if "threads" in n][:most]
    shown += [n for n in every if "processes" in n][-most + 1 :]
    chart = figures.lines(
        {name: every[name] for name in shown},
        x="size n",
        y="speed-up over one",
        logy=False,
        marks=[(start, "threads pay")] if middle else [],
    )
    chart.figure.axes[0].axhline(
        1, color=figures.INK, linewidth=1, linestyle="--"
    )
    return figures.as_html(
        chart,
        "size",
        alt=f"Speed-up of calls as tasks against size: {reading}",
        caption=f"{reading[0].upper()}{reading[1:]}; above the dashed line "
        "several are faster than one.",
    )


def _by_threads(m):
    """Return the figure of the speed-up against threads."""
    reports = side_by_side(m)
    most = m.threads.counts[-1]
    ends = ", ".join(
        f"{name} {r.speedups[most].short}" for name, r in reports.items()
    )
    return figures.as_html(
        figures.speed_against_threads(
            {name: r.speedups for name, r in reports.items()},
            m.machine["cores"]["usable"],
        ),
        "threads",
        alt=f"Speed-up against threads; in {most} threads: {ends}",
        caption=f"In {most} threads, calls within the threads: {ends}.",
    )
