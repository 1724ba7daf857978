#!/usr/bin/env python3
"""Bring the output of several runs together, as of one page a machine.

    python scripts/merge.py PART... [--build DIR]

Each PART is a folder that run.py got as --build.  The newest run of each
page counts, be it there or in DIR; what is in the parts stays as it is.

Exit code 0: all pages have come to their end; 1: the run of one has failed;
2: refused, and nothing was written.
"""

import sys

from commandline import Parser, command, folder
from onthefly import results
from spreading import merged


def parse(argv):
    """Return the command line's options."""
    parser = Parser(__doc__)
    add = parser.add_argument
    add(
        "parts", nargs="+", type=folder, metavar="PART", help="a run's output"
    )
    add(
        "--build", type=folder, default=results.build_dir(), metavar="DIR",
        help="where the pages go (default: _build)",
    )  # fmt: skip
    return parser.parse_args(argv)


@command
def main(argv=None):
    """Run the command; return its exit code."""
    options = parse(argv)
    build = options.build.resolve()
    parts = list(dict.fromkeys(part.resolve() for part in options.parts))
    for line in merged.merge(parts, build):
        print(line)
    failures = list(merged.failed(parts, build))
    print(*failures, sep="\n", end="\n" if failures else "")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
