#!/usr/bin/env python3
"""Give what was recorded by earlier code the keys of today's, where it is
the same code.

    scripts/migrate.py COMMIT [--replace OLD NEW]... [--moved OLD NEW]...
                              [--merged OLD NEW]...

After a rename or a move the keys of recorded measurements name code that is
no more.  This compares the code of the commit that they were recorded by,
with the replacements made in it, with today's.  What is the same gets today's
key; what has really changed stays stale, and is named in a line.

Exit code 0: done; 2: the commit cannot be read.
"""

import sys

from commandline import Parser, command
from recording import migration


def parse(argv):
    """Return the command line's options."""
    parser = Parser(__doc__, whole=True)
    parser.add_argument("commit", help="whose code recorded them")
    for name, what in (
        ("replace", "a text that only has a new name"),
        ("moved", "the path of a file of the package, which moved"),
        ("merged", "the slug of a page that became part of another one"),
    ):
        parser.add_argument(
            f"--{name}", nargs=2, action="append", default=[],
            metavar=("OLD", "NEW"), help=what,
        )  # fmt: skip
    return parser.parse_args(argv)


@command
def main(argv=None):
    """Run the command; return its exit code."""
    options = parse(argv)
    for line in migration.migrate(
        options.commit, options.replace, options.moved, options.merged
    ):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
