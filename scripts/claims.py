"""Print the verdict of every claim in the ledger.

python scripts/claims.py [--chapter SLUG] [--machine NAME] [--json]
python scripts/claims.py --check

With --check, print instead which rules git cannot show to be older than
their first recorded result: those changed since, and those that came in the
same commit.
"""

import json
import sys

from commandline import ROOT, Parser, command, unknown
from onthefly.errors import UserError
from onthefly.measure import machine
from onthefly.page import claims, results
from reading import history


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(__doc__, whole=True)
    parser.add_argument(
        "--chapter", default="", metavar="SLUG", help="one chapter only"
    )
    parser.add_argument(
        "--machine",
        default="",
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


def print_table(rows):
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


def verdicts(name="", chapter=""):
    """Return the Verdict of every claim on one machine.

    name     of a machine with results; by default the one at hand
    chapter  slug of the only one that is asked; by default all are

    Raises UserError for an unknown one, and for files that cannot be read.
    """
    titles = claims.load().chapters
    if chapter and chapter not in titles:
        raise unknown("chapter", chapter, titles)
    if name and name not in claims.machines():
        raise unknown("machine", name, claims.machines())
    here = name or machine.slug()
    runs = {
        slug: results.find(slug, here).get(here)
        for slug in claims.written()
        if chapter in ("", slug)
    }
    try:
        every = claims.verdicts(runs, f"on {here}").values()
    except ValueError as error:
        raise UserError(str(error)) from None
    return [v for v in every if chapter in ("", v.claim.chapter)]


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
    rows = [v.row() for v in verdicts(options.machine, options.chapter)]
    if options.json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        print_table(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
