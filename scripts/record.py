#!/usr/bin/env python3
"""Keep what a run measured as the results of a named machine.

    python scripts/record.py --name NAME [--preset L] [CHAPTER...]

Takes the results of scripts/run.py on this machine and puts them under
book/results/NAME/, where the pages of other machines draw them.  All of
them are checked first: each that is noisy, unfinished, of another preset,
made by another version of the lab, or poorer than what is recorded, is
named, and then nothing is written.

Exit code 0: recorded, or recorded before; 2: refused.
"""

import sys

from commandline import Parser, check_name, command, folder
from onthefly import machine, results
from onthefly.errors import UserError
from recording import archive

NOISY = 0.2  # the share of a chapter's series that may be noisy


def parse(argv):
    """Return the command line's options."""
    parser = Parser(__doc__)
    add = parser.add_argument
    add("chapters", nargs="*", metavar="CHAPTER", help="default: all")
    add("--name", required=True, help="what the machine is called, e.g. h200")
    add("--preset", default="L", help="refuse another one (default: L)")
    add(
        "--noisy", type=float, default=NOISY, metavar="SHARE",
        help=f"of noisy series in a chapter at most (default: {NOISY})",
    )  # fmt: skip
    add(
        "--build", type=folder, default=results.build_dir(),
        metavar="DIR", help="where run.py put its output (default: _build)",
    )  # fmt: skip
    add(
        "--machine", default=machine.slug(), metavar="SLUG",
        help="the folder in its results (default: this machine's)",
    )  # fmt: skip
    add("--to", type=folder, default=results.RECORDED, metavar="DIR",
        help="where all machines are (default: book/results)")  # fmt: skip
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
    check(options)
    sources = archive.chosen(
        options.build / "results" / options.machine, options.chapters
    )
    target = options.to / options.name
    for line in archive.record(
        sources, target, options.preset, options.noisy
    ):
        print(f"record: {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
