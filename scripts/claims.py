"""Print the verdict of every claim in the ledger.

python scripts/claims.py [--chapter SLUG] [--machine NAME] [--json]
"""

import json
import sys

from commandline import Parser, command
from onthefly import claims
from onthefly.refused import Refused


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(__doc__)
    parser.add_argument("--chapter", metavar="SLUG", help="one chapter only")
    parser.add_argument(
        "--machine",
        metavar="NAME",
        help="results of this machine (default: the one at hand)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args(argv)


def as_table(rows):
    """Print rows as an aligned table; long texts wrap."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for name in rows[0]:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*row.values())
    # Without a terminal one row is one line, for grep and diff.
    console = Console(width=None if sys.stdout.isatty() else 1000)
    console.print(table)


@command
def main(argv=None):
    """Run the command; return its exit status."""
    options = parse(argv)
    try:
        found = claims.verdicts(options.machine, options.chapter)
    except ValueError as error:
        raise Refused(str(error)) from None
    rows = [verdict.row() for verdict in found]
    if options.json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        as_table(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
