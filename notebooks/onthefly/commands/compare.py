"""Compare two sets of runs: what became slower, what faster, what is unknown.

    for k in $(seq 15); do
        for v in old new; do
            PYTHONPATH=$v python -m pyperf timeit -p 1 --append $v.json \\
                -s "import f" "f.f()"
        done
    done
    onthefly compare old.json new.json

The loop takes turns between the two versions of f.py, in the folders old and
new.  Without turns, a machine that becomes slower looks like slower code.

BASE and NEW are files that pyperf wrote.  In a clone of the book, each can
also be a build folder, a folder of data, a data file, or the name of a
recorded machine; FOLDER@3:8 takes sessions 3 to 8.  Each process counts
once.  Runs are not comparable if their machine, interpreter, seed,
instrument or version of onthefly differ; the report says what differs.

In a clone of the book, compare pages before and after a change:

    python scripts/run.py --repeat 15 --build BASE PAGE...
    (make the change)
    python scripts/run.py --repeat 15 --build NEW PAGE...
    onthefly compare BASE NEW

Better, let two clones with different code take turns:

    python scripts/run.py --repeat 15 --against OLD/notebooks PAGE...
    onthefly compare --despite lab _build/against _build

Exit codes: 0 no regression found; 1 a series is slower, beyond the noise and
the threshold; 2 nothing could be compared (too few runs, or runs that differ
in more than the change), or an input cannot be used.  The first line says
why.
"""

import pathlib

from onthefly import files
from onthefly.compare import differences, ranks
from onthefly.errors import UserError
from onthefly.terminal import width

SLOWER, NOTHING = 1, 2  # exit codes, beside 0


def add_arguments(parser):
    """Name what the command takes."""
    add = parser.add_argument
    add("base", metavar="BASE", help="the runs before the change")
    add("new", metavar="NEW", help="the runs after it")
    add("--threshold", type=float, default=ranks.THRESHOLD, metavar="SHARE",
        help="the smallest slow-down that counts as a regression "
        f"(default: {ranks.THRESHOLD})")  # fmt: skip
    add("--level", type=float, default=ranks.LEVEL, metavar="SHARE",
        help="the average share of false alarms among what is called "
        f"(default: {ranks.LEVEL})")  # fmt: skip
    add("--despite", action="append", default=[], metavar="WHAT",
        choices=differences.ALLOWED,
        help="compare even if this differs (may be repeated): "
        f"{', '.join(differences.ALLOWED)}")  # fmt: skip
    add(
        "--machine",
        metavar="NAME",
        help="if a folder has several machines, compare this one",
    )
    add(
        "--all",
        action="store_true",
        help="list every series, also the unchanged ones",
    )
    add(
        "--html",
        type=pathlib.Path,
        metavar="FILE",
        help="also write an HTML page",
    )
    add("--json", action="store_true", help="print JSON")


def check(options):
    """Raise UserError for shares that are not between 0 and 1."""
    if not 0 < options.threshold < 1:
        raise UserError(
            f"--threshold {options.threshold:g}: give a share between 0 "
            "and 1, such as 0.05"
        )
    if not 0 < options.level < 1:
        raise UserError(
            f"--level {options.level:g}: give a share between 0 and 1, "
            "such as 0.05"
        )


def run(options):
    """Compare; return the exit code."""
    check(options)
    # Late: they load for seconds.
    from onthefly.compare import formats, judge, runs

    base, new = runs.both(options.base, options.new, options.machine)
    comparison = judge.compare(
        base, new, options.level, options.threshold, options.despite
    )
    if options.html:
        files.write(options.html, formats.html(comparison))
    print(
        formats.as_json(comparison)
        if options.json
        else formats.text(comparison, width(), options.all)
    )
    if comparison.regressions:
        return SLOWER
    return 0 if comparison.conclusive else NOTHING
