"""The page of the recorded sweeps: one version after another."""

import datetime
import shlex

from commandline import ROOT
from onthefly import figures
from onthefly.sweep import record, report
from templates import render

ARCHIVE = ROOT / "book" / "sweeps"  # a folder a machine


def page(folder=ARCHIVE):
    """Return the page as Markdown, of the sweeps in a folder of machines.

    Raises UserError where one cannot be read.
    """
    paths = sorted(folder.glob("*/*.json"))
    return render(
        "book/sweeps.md",
        sweeps=[
            _section(record.load(path), number)
            for number, path in enumerate(paths, 1)
        ],
        threshold=figures.percent(report.THRESHOLD),
    )


def _section(sweep, number):
    """Return what the page shows of one sweep."""
    when = datetime.datetime.fromisoformat(sweep.machine["time"])
    first, *_, last = (row.version for row in sweep.rows)
    return {
        "title": f"{report.title(sweep.library)} {first} to {last}",
        "figures": [
            figures.as_html(chart, f"sweep-{number}-{k}")
            for k, chart in enumerate(report.charts(sweep), 1)
        ],
        "tables": {k: report.table(sweep, k) for k in sweep.kernels},
        "machine": sweep.machine,
        "date": f"{when:%Y-%m-%d}",
        "processes": max(len(row.runs) for row in sweep.rows),
        "sizes": [f"{n:,}" for n in sweep.sizes],
        "command": again(sweep),
    }


def again(sweep):
    """Return the command that makes a sweep of kernels again."""
    words = shlex.split(sweep.command)
    versions = words[words.index(sweep.library) + 1]
    return shlex.join(
        ["onthefly", "sweep", sweep.library, versions, "--kernels",
         *sweep.kernels, "--sizes", ",".join(map(str, sweep.sizes)),
         "--repeat", str(sweep.repeat)]
    )  # fmt: skip
