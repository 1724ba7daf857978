"""The page of the recorded sweeps: one version after another."""

import datetime

from onthefly import figures, timings
from rendering import blocks
from sweeping import kept, steps, words

NONE = """\
No sweep is recorded with this copy, so there is nothing to show. This one
times the Numba kernels of one page under each minor version from 0.58 to
0.68, and puts the result here:

    .venv/bin/python scripts/sweep.py numba 0.58:0.68 \\
        --pages one-decorator --record NAME

`NAME` is what you call the machine. `--repeat` sets the processes a version.
"""
TEXT = """\
(sweeps)=
# One version after another

Since which version is it slower, or faster? `scripts/sweep.py` answers for a
library, or for Python itself. The build writes this page from the recorded
sweeps. To compare two versions on whole pages, see {{ref}}`regression`.

A sweep times the kernels of this book under one version of a library after
another. Each version has an environment of its own: the book's, with that
library changed, and whatever the change forces. Each sample is a new process,
and all versions take turns in random order, so that a drift of the machine's
speed hits all alike. A step is where the time changes by more than
{threshold} from one version to the next, and the interval says so: asv
proposes the places, by a piecewise constant fit, and the ratio of the
processes on both sides decides. A dotted line marks a step.

{sweeps}
"""
SWEEP = """\
## {title}

{figures}

Measured on `{machine}` ({cpu}), {date}, {processes} processes a version,
with data of size {size}. To make it again:

```
.venv/bin/python {command}
```

{tables}
"""


def page(folder=kept.SHELF):
    """Return the page as Markdown, of the sweeps in a folder of machines.

    Raises Refused where one cannot be read.
    """
    found = [kept.load(path) for path in sorted(folder.glob("*/*.json"))]
    texts = [_section(sweep, k) for k, sweep in enumerate(found, 1)]
    threshold = figures.percent(steps.THRESHOLD)
    return TEXT.format(threshold=threshold, sweeps="\n\n".join(texts) or NONE)


def _section(sweep, number):
    """Return one sweep: its figures, its tables, its origin."""
    pictures = [
        figures.as_html(chart, f"sweep-{number}-{k}")
        for k, chart in enumerate(words.charts(sweep), 1)
    ]
    when = datetime.datetime.fromisoformat(sweep.machine["time"])
    return SWEEP.format(
        title=_title(sweep),
        figures="\n\n".join(map(blocks.raw, pictures)),
        tables="\n\n".join(_table(sweep, kernel) for kernel in sweep.kernels),
        machine=sweep.machine["slug"],
        cpu=sweep.machine["cpu"],
        date=f"{when:%Y-%m-%d}",
        processes=max(len(row.runs) for row in sweep.rows),
        size=f"{sweep.size:,}",
        command=sweep.command,
    )


def _title(sweep):
    ends = [sweep.rows[0].version, sweep.rows[-1].version]
    return f"{words.named(sweep.library)} {' to '.join(ends)}"


def _table(sweep, kernel):
    """Return a kernel's table, folded."""
    rows = words.rows(sweep, kernel)
    table = timings.table(words.HEAD, rows, f"{kernel}, by version")
    return blocks.raw(
        f'<details class="otf-data"><summary><code>{kernel}</code></summary>'
        f"{table}</details>"
    )
