"""Print the verdict of every claim in the ledger.

python scripts/claims.py [--chapter SLUG] [--machine NAME] [--json]
python scripts/claims.py --check

With --check, print instead which rules git cannot show to be older than
their first recorded result: those changed since, and those that came in the
same commit.
"""

import json
import sys

from commandline import ROOT, Parser, command
from onthefly import claims
from onthefly.refused import Refused
from reading import history


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(__doc__, whole=True)
    parser.add_argument("--chapter", metavar="SLUG", help="one chapter only")
    parser.add_argument(
        "--machine",
        metavar="NAME",
        help="results of this machine (default: the one at hand)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--check",
        action="store_true",
        help="tell which rules are no older than their first result",
    )
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


def check(root):
    """Print which rules are no older than their first result."""
    ages = history.ages(root)
    late = [age for age in ages if age.order > 0]
    along = [age for age in ages if age.order == 0]
    for age in late:
        print(f"{age}: changed since")
    for age in along:
        print(f"{age}: in one commit")
    print(
        f"{len(ages)} claims with a rule and a result: {len(late)} rules "
        f"were changed since, {len(along)} came in the same commit, "
        f"{len(ages) - len(late) - len(along)} came first"
    )


@command
def main(argv=None):
    """Run the command; return its exit status."""
    options = parse(argv)
    if options.check:
        check(ROOT)
        return 0
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
