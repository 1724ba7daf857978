"""Compare two sets of runs: what is slower, what faster, what unknown.

    python -m pyperf timeit -o before.json -s "import f" "f.f()"
    python -m pyperf timeit -o after.json -s "import f" "f.f()"
    onthefly compare before.json after.json

BASE and NEW are each a file that pyperf wrote, or, in a clone of the book, a
build folder, a folder of data, a data file, or the name of a recorded
machine; FOLDER@3:8 takes the sessions from 3 to 8.  Each process counts
once.  Runs whose machine, interpreter, seed, instrument or version of
onthefly differ are not compared, and the report names what differs.

In a clone of the book, a page before and after a change:

    python scripts/run.py --repeat 15 --build BASE PAGE...
    python scripts/run.py --repeat 15 --build NEW PAGE...       after it
    onthefly compare BASE NEW

Two clones run in turns, whose lab differs:

    python scripts/run.py --repeat 15 --against OLD/notebooks PAGE...
    onthefly compare --despite lab _build/against _build

Exit code 0: no regression found; 1: a series is slower, beyond the noise and
the threshold; 2: nothing could be compared, as the runs are too few or not of
one thing, and the first line says which, or an input cannot be used.
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
    add("base", metavar="BASE", help="what was")
    add("new", metavar="NEW", help="what is")
    add("--threshold", type=float, default=ranks.THRESHOLD, metavar="SHARE",
        help="the change that matters "
        f"(default: {ranks.THRESHOLD})")  # fmt: skip
    add("--level", type=float, default=ranks.LEVEL, metavar="SHARE",
        help="false ones among those called, on average "
        f"(default: {ranks.LEVEL})")  # fmt: skip
    add("--despite", action="append", default=[], metavar="WHAT",
        choices=differences.ALLOWED,
        help="compare although this differs: "
        f"{', '.join(differences.ALLOWED)}")  # fmt: skip
    add("--machine", metavar="NAME", help="of several in a folder, this one")
    add("--all", action="store_true", help="list every series")
    add("--html", type=pathlib.Path, metavar="FILE", help="write a page, too")
    add("--json", action="store_true", help="print JSON")


def check(options):
    """Raise UserError for shares that are none."""
    if not 0 < options.threshold < 1:
        raise UserError(
            f"--threshold {options.threshold:g}: give a share above 0 and "
            "below 1, as 0.05"
        )
    if not 0 < options.level < 1:
        raise UserError(
            f"--level {options.level:g}: give a share above 0 and below 1"
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
