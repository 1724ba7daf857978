"""A Report as text, as one HTML page, and as JSON."""

import json
import math
import textwrap

from onthefly.diagnose.wording import findings, verdict
from onthefly.measure import machine
from onthefly.measure.quantity import INTERVAL
from onthefly.terminal import aligned

INDENT = 10  # columns of a finding's name
COLUMNS = 5  # sizes in a table of the terminal
NAME = 36  # columns of a method's name
LINES = 4  # methods in the picture, beside the function itself


def text(report, width=80):
    """Return the report as plain text of at most `width` columns."""
    lines = [report.name, textwrap.fill(_machine(report), width), ""]
    lines += [
        textwrap.fill(
            f"{name:<{INDENT}}{sentence}",
            width,
            subsequent_indent=" " * INDENT,
            break_long_words=False,
        )
        for name, sentence in findings(report)
    ]
    if rows := _rows(report, _some(report.sizes)):
        lines += ["", *_fitted(rows, width)]
    return "\n".join(lines)


def _machine(report):
    record = report.found.machine
    return (
        f"{record['cpu']}, {record['cores']['usable']} cores; Python "
        f"{record['python']['version']}; {record['time'][:10]}"
    )


def _some(sizes):
    """Return some of the sizes, evenly, the largest among them."""
    step = -(-len(sizes) // COLUMNS)
    return sizes[::-1][::step][::-1]


def _rows(report, sizes):
    """Return the table: a row a method, a column a size."""
    base = report.seconds(report.baseline.name)
    sizes = [n for n in sizes if n in base]
    if not sizes:
        return []
    rows = [
        ["how many times faster", *(f"n = {n:,}" for n in sizes)],
        [
            f"{report.baseline.name} (its time)",
            *(str(base[n].about) for n in sizes),
        ],
    ]
    for name in _by_gain(report):
        rows.append([name, *(_gain(report, name, n) for n in sizes)])
    return rows


def _gain(report, name, size, interval=False):
    """Return a method's gain at a size as text, with or without interval."""
    gain = report.gains(name).get(size)
    if gain is None:
        return "–"
    if report.is_removed(name):
        return "removed"
    return str(gain) if interval else str(gain.about)


def _by_gain(report):
    """Return the names of the measured methods, the best first."""
    measured = [name for name in report.others if report.gains(name)]
    return sorted(measured, key=lambda name: _rank(report, name))


def _rank(report, name):
    gains = report.gains(name)
    return report.is_removed(name), -gains[max(gains)].value


def _fitted(rows, width):
    """Return lines of columns, the first at the left, within a width.

    Small sizes go first where the columns are too many.
    """
    wide = min(max(len(row[0]) for row in rows), NAME)
    while True:
        numbers = aligned([row[1:] for row in rows])
        if wide + 2 + len(numbers[0]) <= width or len(rows[0]) <= 3:
            break
        rows = [[row[0], *row[2:]] for row in rows]
    lines = []
    for (name, *_), line in zip(rows, numbers, strict=True):
        *above, last = textwrap.wrap(name, wide, subsequent_indent="  ")
        lines += [*above, f"{last:<{wide}}  {line}"]
    return lines


def page(report):
    """Return the report as one HTML page that needs no other file."""
    from onthefly.reports import render

    return render("confirm.html", **_parts(report))


def fragment(report):
    """Return the report as HTML for a notebook."""
    from onthefly.reports import render

    return render("confirm_cell.html", **_parts(report))


def _parts(report):
    return {
        "request": report.request,
        "name": report.name,
        "machine": report.found.machine,
        "machine_line": machine.line(report.found.machine),
        "verdict": verdict(report),
        "findings": findings(report),
        "picture": picture(report),
        "head": ["n", report.baseline.name, *_by_gain(report)],
        "rows": _full(report),
        "interval": INTERVAL,
    }


def _full(report):
    """Return the rows of the table with intervals, a size each."""
    base = report.seconds(report.baseline.name)
    return [
        [
            f"{n:,}",
            str(base[n]),
            *(
                _gain(report, name, n, interval=True)
                for name in _by_gain(report)
            ),
        ]
        for n in base
    ]


def picture(report):
    """Return the SVG of a call's time by size, for the methods; or ""."""
    from onthefly import figures

    base = report.seconds(report.baseline.name)
    if len(base) < 2:
        return ""
    names = [report.baseline.name, *_by_gain(report)[:LINES]]
    chart = figures.lines(
        {name: report.seconds(name) for name in names},
        x="size n",
        y="time a call",
        time="y",
        better="less",
    )
    return figures.as_html(chart, "confirm")


def as_json(report):
    """Return the report as JSON."""
    return json.dumps(data(report), indent=1, ensure_ascii=False)


def data(report):
    """Return the report as what JSON holds.

    Times are [seconds, low, high], gains [ratio, low, high], by size.
    """
    return {
        "function": report.name,
        "machine": report.found.machine,
        "sizes": report.sizes,
        "verdict": verdict(report),
        "by size": [
            {"method": name, "sizes": sizes} for name, sizes in report.ranges
        ],
        "findings": dict(findings(report)),
        "left out": {str(n): s for n, s in report.found.left.items()},
        "methods": [_method(report, name) for name in report.tried],
        "complete": report.is_complete,
        "seconds": round(report.took, 1),
    }


def _method(report, name):
    tried = report.tried[name]
    differs = tried.prepared.differs if tried.prepared else {}
    return {
        "name": name,
        "how": tried.how,
        "refused": tried.error,
        "differs": {str(n): how for n, how in differs.items()},
        "seconds": _ends(report.seconds(name)),
        "gain": _ends(report.gains(name)),
        "bytes": report.memory.get(name),
    }


def _ends(quantities):
    return {str(n): _finite(q) for n, q in quantities.items()}


def _finite(quantity):
    """Return value and ends; None for an end that is not known."""
    ends = quantity.value, quantity.low, quantity.high
    return [x if math.isfinite(x) else None for x in ends]
