#!/usr/bin/env python3
"""Keep what this machine measured as the data of a named machine.

    python scripts/record.py --name NAME [--preset L] [PAGE...]
    python scripts/record.py --check NAME

Takes what scripts/run.py measured on this machine and puts it under
book/data/NAME/, where `run.py --data NAME` tells it on any machine, and what
the pages concluded under book/results/NAME/.  All of it is checked first:
what is noisy, unfinished, made by another version of the lab, or poorer than
what is recorded, is named, and then nothing is written.

With --check, it lists what the machine recorded by other code than today's,
and which part of it changed; a page that tells it says so, too.

Exit code 0: recorded, or recorded before; 2: refused.
"""

import sys

from commandline import ROOT, Parser, check_name, command, folder
from onthefly.errors import UserError
from onthefly.folders import build_dir
from onthefly.measure import machine, presets, records
from recording import archive, outdated

NOISY = 0.2  # the share of a chapter's series that may be noisy


def parse(argv):
    """Return the command line's options."""
    parser = Parser(__doc__)
    add = parser.add_argument
    add("pages", nargs="*", metavar="PAGE", help="default: all")
    add("--check", metavar="NAME", choices=records.machines(),
        help="list what a machine recorded by other code")  # fmt: skip
    add("--name", default="", help="what the machine is called, e.g. h200")
    add("--preset", default="L", help="measured at this (default: L)")
    add(
        "--noisy", type=float, default=NOISY, metavar="SHARE",
        help=f"of noisy series in a chapter at most (default: {NOISY})",
    )  # fmt: skip
    add(
        "--build", type=folder, default=build_dir(),
        metavar="DIR", help="where run.py put its output (default: _build)",
    )  # fmt: skip
    add(
        "--machine", default=machine.slug(), metavar="SLUG",
        help="the folder in its data (default: this machine's)",
    )  # fmt: skip
    add("--to", type=folder, default=ROOT / "book", metavar="DIR",
        help="where data/ and results/ of all machines are (default: book)",
    )  # fmt: skip
    return parser.parse_args(argv)


def check(options):
    """Raise UserError for an option that is none."""
    check_name("--name", options.name)
    if not 0 <= options.noisy <= 1:
        raise UserError(
            f"--noisy {options.noisy:g}: give a share from 0 to 1"
        )


@command
def main(argv=None):
    """Run the command; return its exit code."""
    options = parse(argv)
    if options.check:
        print(*outdated.lines(options.check), sep="\n")
        return 0
    check(options)
    presets.check(options.preset)
    folder = options.build / "data" / options.preset / options.machine
    lines = archive.record(
        archive.chosen(folder, options.pages),
        options.build / "results" / options.machine,
        options.to,
        options.name,
        options.noisy,
    )
    for line in lines:
        print(f"record: {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
