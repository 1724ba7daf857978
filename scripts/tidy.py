#!/usr/bin/env python3
"""Check the notebooks and _toc.yml against the book's rules, or repair them.

    scripts/tidy.py                 check every notebook and _toc.yml
    scripts/tidy.py --fix FILE...   repair these notebooks, then check them

One line a finding: ``file: cell ID: what is wrong; repair: what to do``.
Exit status: 0 right, 1 findings, 2 a file that cannot be read.  The rules
are in linting/; the style of code is ruff's.
"""

import sys
from pathlib import Path

from commandline import ROOT, Parser, command, folder
from linting import canonical, rules
from onthefly.errors import UserError
from reading import notebooks


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(__doc__, whole=True)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--fix", action="store_true", help="repair")
    parser.add_argument(
        "--root", type=folder, default=ROOT, help="the book (default: here)"
    )
    return parser.parse_args(argv)


def tidy(path, name, fix):
    """Yield what there is to say of one notebook: lines, then Findings."""
    if fix and canonical.fix(path, name):
        yield f"{name}: repaired"
    yield from rules.check(path, name)


@command
def main(argv=None):
    """Run the command; return its exit status."""
    options = parse(argv)
    tasks = [
        tidy(path, shown(path, options.root), options.fix)
        for path in options.files or notebooks.paths(options.root)
    ]
    if not options.files:
        tasks.append(rules.check_contents(options.root))
    status = 0
    for task in tasks:
        try:
            for line in task:
                print(line)
                status = max(status, int(isinstance(line, rules.Finding)))
        except UserError as error:
            print(error)
            status = 2
    return status


def shown(path, root):
    """Return `path` as a reader in `root` would write it."""
    try:
        return str(path.resolve().relative_to(root.resolve()))
    except ValueError:
        return str(path)


if __name__ == "__main__":
    sys.exit(main())
