"""Print the verdict of every claim in the ledger.

python scripts/claims.py [--chapter SLUG] [--machine NAME] [--json]
"""

import argparse
import json
import sys
from pathlib import Path

# Scripts run without an install: the lab sits beside the notebooks.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "notebooks"))

from onthefly import claims
from onthefly.refused import Refused


def arguments(argv):
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
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


def main(argv=None):
    """Run the command; return its exit status."""
    options = arguments(argv)
    try:
        found = claims.verdicts(options.machine, options.chapter)
    except (ValueError, Refused) as error:
        print(f"claims: {error}", file=sys.stderr)
        return 2
    rows = [verdict.row() for verdict in found]
    if options.json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        as_table(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
