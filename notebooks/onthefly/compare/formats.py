"""A comparison as plain text, as an HTML page, and as data."""

import json
import math
import textwrap

from onthefly.compare.background import LIMIT
from onthefly.compare.ranks import NUMBER, UNLIKE
from onthefly.compare.report import HEAD, findings, rows
from onthefly.figures import percent
from onthefly.measure.quantity import INTERVAL
from onthefly.reports import render
from onthefly.terminal import aligned


def text(comparison, width, every=False):
    """Return the report as plain text.

    width  columns of the sentences; the table is as wide as it must be
    every  list all series, not only those that changed
    """
    lines = []
    for name, sentence in findings(comparison):
        lines += textwrap.wrap(
            f"{name}: {sentence}", width, subsequent_indent="    ",
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
    if table := rows(comparison, every):
        lines += ["", *aligned([HEAD, *table], left=True)]
    return "\n".join(lines)


def html(comparison):
    """Return the report as one HTML page that needs no other file."""
    return render(
        "compare.html",
        base=comparison.base.name,
        new=comparison.new.name,
        findings=findings(comparison),
        head=HEAD,
        changed=rows(comparison),
        every=rows(comparison, every=True),
        number=NUMBER,
        limit=percent(LIMIT),
        interval=INTERVAL,
        level=percent(comparison.level),
        unlike=percent(UNLIKE),
        threshold=percent(comparison.threshold),
    )


def as_json(comparison):
    """Return the comparison as JSON text, for other programs."""
    data = {
        "base": _side(comparison.base),
        "new": _side(comparison.new),
        "level": comparison.level,
        "threshold": comparison.threshold,
        "counts": comparison.counts,
        "regressions": len(comparison.regressions),
        "differs": comparison.noted,
        "not comparable": comparison.incomparable,
        "series": [_row(row) for row in comparison.rows],
    }
    return json.dumps(data, indent=1, ensure_ascii=False)


def _side(side):
    return {"name": side.name, "runs": side.runs, "of": side.whose}


def _row(row):
    about = {
        "page": row.page,
        "group": row.group,
        "name": row.name,
        "size": row.size,
        "runs": list(row.runs),
        "verdict": row.verdict,
    }
    if not row.finding:
        return {**about, "why": row.why}
    ratio = row.finding.ratio
    return {
        **about,
        "counted": list(row.counted),
        "ratio": ratio.value,
        "low": _bound(ratio.low),
        "high": _bound(ratio.high),
        "noise": _bound(row.finding.noise),
        "p": row.finding.p,
        "p of all": row.finding.adjusted,
    }


def _bound(value):
    """Return a number, or None for infinity, which JSON does not have."""
    return value if math.isfinite(value) else None
