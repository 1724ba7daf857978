#!/usr/bin/env python3
"""Put a sweep of kernels into the book, as a named machine's.

    onthefly sweep numba 0.58:0.68 --kernels pi_numba
    python scripts/record_sweep.py _build/sweep/numba/FILE.json --name NAME

The build draws it on the page *One version after another*.

Exit code 0: recorded; 2: refused: a function of no kernel, or too few
processes for an interval.
"""

import pathlib
import sys

from commandline import Parser, check_name, command, folder, shown
from onthefly.errors import UserError
from onthefly.measure.samples import MIN_ROUNDS
from onthefly.sweep import record
from rendering import sweeps


def parse(argv):
    """Return the command line's options; raises UserError."""
    parser = Parser(__doc__, whole=True)
    add = parser.add_argument
    add("file", type=pathlib.Path, metavar="FILE",
        help="that onthefly sweep has named")  # fmt: skip
    add("--name", required=True, help="what the machine is called")
    add("--to", type=folder, default=sweeps.ARCHIVE, metavar="DIR",
        help="folder of machines (default: book/sweeps)")  # fmt: skip
    options = parser.parse_args(argv)
    check_name("--name", options.name)
    return options


def check(sweep, path):
    """Raise UserError for a sweep that the page cannot show."""
    if any(pathlib.Path(name).is_absolute() for name in sweep.made_from):
        raise UserError(f"{path}: a function of your own; sweep --kernels")
    fewest = min((len(row.runs) for row in sweep.rows if row.runs), default=0)
    if fewest < MIN_ROUNDS:
        raise UserError(
            f"{path}: {fewest} processes a version give no interval; "
            f"sweep with --repeat {MIN_ROUNDS} or more"
        )


@command
def main(argv=None):
    """Run the command; return its exit code."""
    options = parse(argv)
    sweep = record.load(options.file)
    check(sweep, options.file)
    sweep.machine["slug"] = options.name
    path = options.to / options.name / options.file.name
    record.save(sweep, path)
    print(f"{shown(path)}: recorded")
    return 0


if __name__ == "__main__":
    sys.exit(main())
