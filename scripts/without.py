#!/usr/bin/env python3
"""Run the pages and build the book where a library is really missing.

    scripts/without.py LIBRARY              all pages, then the book
    scripts/without.py LIBRARY CHAPTER...   these pages alone

It makes an environment like this one, but for the library, and runs
scripts/run.py in it at preset XS.  The folder is _build/without/LIBRARY, or
--build.  For each page it says what was lost.  Exit code 0: every page came
to its end, and the book was built; 1: not so; 2: refused.
"""

import sys

from commandline import ROOT, Parser, command, folder, unknown
from commandline.programs import watched
from onthefly import results
from onthefly.libraries import LIBRARIES
from planting import environments


def parse(argv):
    """Return the command line's options."""
    parser = Parser(__doc__, whole=True)
    parser.add_argument("library", metavar="LIBRARY")
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER")
    parser.add_argument("--build", type=folder, metavar="DIR")
    options = parser.parse_args(argv)
    spared = [k for k, entry in LIBRARIES.items() if not entry.needed]
    if options.library not in spared:
        raise unknown("library", options.library, spared)
    return options


def lost(build):
    """Yield a line for each page of a build that lost something."""
    for path in sorted(build.glob("results/*/*.json")):
        for name, what in results.load(path).missing.items():
            listed = ", ".join(what) or "no claim and no series"
            yield f"{path.stem}: lost without {name}: {listed}"


@command
def main(argv=None):
    """Run the command line; return the exit code."""
    options = parse(argv)
    build = options.build or (
        results.build_dir() / "without" / options.library
    )
    build = build.resolve()
    python = environments.without(options.library, build / "environment")
    at = ["--build", build]

    def done(name, *arguments):
        script = ROOT / "scripts" / name
        return watched([python, script, *arguments]) == 0

    good = done("run.py", "--preset", "XS", *options.chapters, *at)
    if good and not options.chapters:
        good = done("build_book.py", *at)
    for line in lost(build):
        print(line)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
