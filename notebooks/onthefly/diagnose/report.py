"""The report on a Measurement: plain text, and one HTML page."""

import textwrap

from onthefly import figures
from onthefly.diagnose.findings import findings
from onthefly.diagnose.numba_trial import NJIT
from onthefly.diagnose.pool_trials import OWN, PAYS
from onthefly.measure import machine, nogil
from onthefly.measure.quantity import INTERVAL
from onthefly.reports import render
from onthefly.terminal import aligned

INDENT = 11  # columns of a finding's name


def text(measurement, width):
    """Return the report as plain text of at most `width` columns."""
    parts = [
        measurement.request.target,
        textwrap.fill(machine.line(measurement.machine), width),
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
    for title, head, rows in _tables(measurement):
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
    charts = {
        "cost": _cost(m),
        "size": _by_size(m),
        "threads": _by_threads(m),
    }
    return render(
        "confirm.html",
        request=m.request,
        machine=m.machine,
        machine_line=machine.line(m.machine),
        findings=findings(m),
        figures=[figures.as_html(c, name) for name, c in charts.items() if c],
        tables=_tables(m),
        interval=INTERVAL,
        pays=PAYS,
    )


def _tables(m):
    """Return [(title, column titles, rows of text)]."""
    speeds = _speeds(m)
    every = [
        (
            "A call in one thread, also over what the model predicts unseen, "
            "and what numba.njit gains",
            ["n", "a call", "over predicted", NJIT],
            [
                [
                    f"{n:,}",
                    str(q),
                    str(m.unseen.get(n, "–")),
                    str(m.numba.gains.get(n, "–")),
                ]
                for n, q in m.seconds.items()
            ],
        ),
        (
            f"Speed-up over one, each call a task of its own ({INTERVAL})",
            ["n", *speeds],
            [
                [f"{n:,}", *(str(by.get(n, "–")) for by in speeds.values())]
                for n in m.sizes
                if any(n in by for by in speeds.values())
            ],
        ),
    ]
    return [table for table in every if table[2]]


def _speeds(m):
    """Return {"2 threads": {size: Quantity}}: of threads and processes."""
    return {
        f"{k} {what}": by_size
        for what, trial in m.pools.items()
        for k, by_size in trial.speeds.items()
    }


def _reports(m):
    """Return {name: nogil.Report}: the function, then the references."""
    names = {
        OWN: f"n = {m.threads.size:,}",
        nogil.FREE: "SHA-256 (no GIL)",
        nogil.HELD: "Python loop (GIL)",
    }
    return {names[key]: r for key, r in m.threads.reports.items()}


def _cost(m):
    """Return the Chart of time against size."""
    own = "as it is"
    compiled = {n: m.numba.times.seconds(NJIT, n) for n in m.numba.gains}
    return figures.lines(
        {own: m.seconds} | ({NJIT: compiled} if compiled else {}),
        x="size n",
        y="time a call",
        time="y",
        fits={own: m.fit} if m.fit else None,
        better="less",
    )


def _by_size(m):
    """Return the Chart of the speed-up in the largest pools against size."""
    largest = {
        f"{max(trial.speeds)} {what}": trial.speeds[max(trial.speeds)]
        for what, trial in m.pools.items()
        if trial.speeds
    }
    if not largest:
        return None
    chart = figures.lines(
        largest,
        x="size n",
        y="speed-up over one",
        logy=False,
        better="more",
    )
    chart.figure.axes[0].axhline(
        1, color=figures.INK, linewidth=1, linestyle="--"
    )
    return chart


def _by_threads(m):
    """Return the Chart of the speed-up against threads."""
    speeds = {name: r.speedups for name, r in _reports(m).items()}
    cores = m.machine["cores"]["usable"]
    return figures.speed_against_threads(speeds, cores) if speeds else None
