#!/usr/bin/env python3
"""Check the form of the notebooks and of _toc.yml, or repair it.

    scripts/tidy.py                 check every notebook and _toc.yml
    scripts/tidy.py --fix FILE...   repair these notebooks, then check them
    scripts/tidy.py --advice        also say how far a page is from one story

One line a finding: ``file: cell ID: what is wrong; repair: what to do``.
Exit status: 0 right, 1 findings, 2 a file that cannot be read.  Advice
fails nothing.  The rules are in form/; the style of code is ruff's.
"""

import sys
from pathlib import Path

from commandline import ROOT, Parser, command, folder
from form import advice, canonical, contents, rules
from form.finding import Finding
from onthefly.refused import Refused
from reading import notebooks


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(__doc__, whole=True)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--fix", action="store_true", help="repair")
    parser.add_argument(
        "--advice",
        action="store_true",
        help="also say of each page: lines of its shown cells, plumbing in "
        "them, words",
    )
    parser.add_argument(
        "--root", type=folder, default=ROOT, help="the book (default: here)"
    )
    return parser.parse_args(argv)


def tidy(path, name, options):
    """Yield what there is to say of one notebook: lines, then Findings."""
    if options.fix and canonical.fix(path, name):
        yield f"{name}: repaired"
    if options.advice:
        yield advice.advice(path, name)
    yield from rules.check(path, name)


@command
def main(argv=None):
    """Run the command; return its exit status."""
    options = parse(argv)
    tasks = [
        tidy(path, shown(path, options.root), options)
        for path in options.files or notebooks.paths(options.root)
    ]
    if not options.files:
        tasks.append(contents.check(options.root))
    status = 0
    for task in tasks:
        try:
            for found in task:
                print(found)
                status = max(status, int(isinstance(found, Finding)))
        except Refused as error:
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
