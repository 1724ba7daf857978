"""A comparison as data for other programs."""

import json
import math


def as_json(found):
    """Return a Comparison as JSON text."""
    data = {
        "base": _side(found.base),
        "new": _side(found.new),
        "level": found.level,
        "threshold": found.threshold,
        "counts": found.counts,
        "regressions": len(found.regressions),
        "differs": found.said,
        "not comparable": found.unlike,
        "series": [_row(row) for row in found.rows],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


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
