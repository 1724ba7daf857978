#!/usr/bin/env python3
"""Keep runs in a store, list them, check them, and give them to asv.

    python scripts/history.py add FILE|FOLDER... --store URL [--commit REV]
    python scripts/history.py list --store URL [--page SLUG]
    python scripts/history.py check --store URL
    python scripts/history.py export --asv DIR --store URL

A store is a folder, or a URL that fsspec knows (s3://…, gs://…), where its
package is installed.  Without --store it is the one that ONTHEFLY_STORE
names.  `scripts/run.py --store` keeps each chapter that it runs; `add` keeps
runs made earlier.  `list` tells what is kept, `check` reads all of it, and
`export` writes it as asv reads it, for `asv publish`.

Exit code 0: done; 1: something was left out, or is damaged, and is named;
2: refused.
"""

import pathlib
import sys

from commandline import (
    ROOT,
    Parser,
    aligned,
    command,
    folder,
    shown,
    unknown,
)
from keeping import asv_results, commits, store
from keeping.store import Store
from onthefly import results
from onthefly.refused import Refused


def parse(argv):
    """Return the command line's options."""
    parser = Parser(__doc__, whole=True)
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    for name, does, text in (
        ("add", add, "Keep results files of runs made earlier."),
        ("list", list_, "List the runs that a store keeps."),
        ("check", check, "Read all of a store, and name what is damaged."),
        ("export", export, "Write the runs as asv's results."),
    ):
        part = parts.add_parser(name, text=text)
        part.set_defaults(does=does)
        part.add_argument(
            "--store", metavar="URL", default=store.named(),
            help="a folder or a URL (default: ONTHEFLY_STORE)",
        )  # fmt: skip
        if name == "add":
            part.add_argument("paths", nargs="+", metavar="FILE|FOLDER")
            part.add_argument(
                "--commit", metavar="REV",
                help="of the checkout that ran them (default: the one that "
                "recorded each, where git knows it)",
            )  # fmt: skip
        if name == "list":
            part.add_argument("--page", metavar="SLUG", help="of this alone")
        if name == "export":
            part.add_argument(
                "--asv", required=True, type=folder, metavar="DIR",
                help="a folder that is empty, or not there yet",
            )  # fmt: skip
    return parser.parse_args(argv)


def add(options):
    """Keep results files; name those that are left out."""
    commit = options.commit
    if commit is not None:
        commit = commits.named(ROOT, commit)
        if not commit:
            raise Refused(
                f"--commit {options.commit}: git knows none of that name "
                f"in {ROOT}; give one that it does"
            )
    paths = [p for text in options.paths for p in _files(pathlib.Path(text))]
    if lacking := [path for path in paths if not path.exists()]:
        raise Refused(f"{shown(lacking[0])}: not there; name what is")
    kept = Store(options.store, create=True)
    new = left = 0
    for path in paths:
        try:
            if not results.load(path).finished:
                raise Refused(
                    f"{shown(path)}: the chapter did not come to its end"
                )
            own = commits.of_file(path) if commit is None else commit
            new += kept.put(path, own)
        except Refused as error:
            left += 1
            print(f"left out: {error}")
    print(
        f"{kept.place}: {new} added, {len(paths) - new - left} there before"
        + f", {left} left out" * bool(left)
    )
    return 1 if left else 0


def _files(path):
    """Return the results files that a path means, at least one."""
    if not path.is_dir():
        return [path]
    found = sorted(path.rglob("*.json"))
    if not found:
        raise Refused(
            f"{path}: no results there; name a folder that holds some"
        )
    return found


def list_(options):
    """Print a line for each run, the oldest first."""
    entries, faults = Store(options.store).entries()
    pages = sorted({entry.page for entry in entries})
    if options.page not in (None, *pages):
        raise unknown("page", options.page, pages)
    rows = [
        [e.time[:16].replace("T", " "), e.machine, e.page, e.preset,
         commits.short(e.commit) or "–", e.lab[:8] or "–", e.digest[:12]]
        for e in entries
        if options.page in (None, e.page)
    ]  # fmt: skip
    head = ["began (UTC)", "machine", "page", "preset", "commit", "lab",
            "object"]  # fmt: skip
    print(*aligned([head, *rows], left=True), sep="\n")
    return _named(faults)


def check(options):
    """Read all that is kept; name what is damaged."""
    kept = Store(options.store)
    count, faults = kept.check()
    print(f"{kept.place}: {count} runs, {len(faults)} faults")
    return _named(faults)


def _named(faults):
    """Print a line for each fault; return the exit code."""
    for line in faults:
        print(line, file=sys.stderr)
    return 1 if faults else 0


def export(options):
    """Write asv's files."""
    kept = Store(options.store)
    done, faults = asv_results.export(kept, ROOT, options.asv)
    print(
        f"{shown(options.asv)}: {done} runs; asv publish --no-pull, started "
        "there, makes the pages"
    )
    return _named(faults)


@command
def main(argv=None):
    """Run the command; return its exit code."""
    options = parse(argv)
    if not options.store:
        raise Refused("no store named; give --store, or set ONTHEFLY_STORE")
    return options.does(options)


if __name__ == "__main__":
    sys.exit(main())
