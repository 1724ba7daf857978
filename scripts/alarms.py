#!/usr/bin/env python3
"""Try compare.py on what is known: false alarms, and a planted slow-down.

    python scripts/alarms.py [--preset XS] [PAGE...]

Runs the pages twenty times, unchanged, and halves these runs by chance, many
times: whatever is called then is a false alarm.  Then it plants a tenth more
work in one kernel of a copy, and runs the page from both, in turns, fifteen
runs a side and ten times over: how often is it found?  All runs are kept
under --build, so that a second start goes on where the first one was ended.
What came out is kept in book/regression.json, from which the book makes a
page.

Exit code 0: at most 1 % of the series are false alarms, and at least 9 of 10
trials find the slow-down; 1: not so; 2: refused, or runs are lacking.
"""

import json
import pathlib
import sys

from commandline import ROOT, Parser, command, folder
from commandline.programs import watched
from comparing import alarms, planted, ranks, sides
from onthefly import files, results
from onthefly.provenance import slug_of
from onthefly.refused import Refused
from running import request

PAGES = ("first-benchmark", "cost-of-a-call", "whole-arrays")
NOTEBOOKS = ROOT / "notebooks"
# A half needs two runs to have a noise, a side four to bound a ratio.
LEAST = {"runs": 4, "splits": 1, "trials": 1, "each": 4}


def parse(argv):
    """Return the command line's options."""
    parser = Parser(__doc__, whole=True)
    add = parser.add_argument
    add("pages", nargs="*", default=PAGES, metavar="PAGE",
        help=f"run unchanged (default: {' '.join(PAGES)})")  # fmt: skip
    add("--preset", default="XS", help="of all runs (default: XS)")
    for name, default, what in (
        ("--runs", 20, "unchanged runs"),
        ("--splits", 200, "ways to halve them"),
        ("--trials", 10, "trials of the planted slow-down"),
        ("--each", 15, "runs of a side in a trial"),
    ):
        add(name, type=int, default=default, metavar="N",
            help=f"{what} (default: {default})")  # fmt: skip
    add("--build", type=folder, default=results.build_dir() / "alarms",
        metavar="DIR", help="keeps the runs "
        "(default: _build/alarms)")  # fmt: skip
    add("--to", type=pathlib.Path, default=alarms.RECORD,
        metavar="FILE", help="what came out "
        "(default: book/regression.json)")  # fmt: skip
    options = parser.parse_args(argv)
    for name, least in LEAST.items():
        given = getattr(options, name)
        if given < least:
            raise Refused(f"--{name} {given}: give {least} or more")
    request.check_options(options.preset, "auto")
    paths = request.choose(options.pages, NOTEBOOKS)
    options.pages = [slug_of(path) for path in paths]
    return options


def repeat(count, pages, build, preset, *more):
    """Run pages so many times more, each result kept."""
    if count > 0:
        script = [sys.executable, ROOT / "scripts" / "run.py", *pages]
        own = ["--preset", preset, "--build", build, "--repeat", count]
        own += ["--store", ""]  # a slow-down that was planted is no history
        if watched([*script, *own, *more]) not in (0, 1):  # 1: a page failed
            raise Refused("its line says why scripts/run.py did not go on")


def unchanged_runs(options):
    """Make the unchanged runs that are lacking; return their Side."""
    build = options.build / "unchanged"
    have = [
        len([*build.glob(f"repeats/[0-9]*/*/{page}.json")])
        for page in options.pages
    ]
    repeat(options.runs - min(have), options.pages, build, options.preset)
    side = sides.read(str(build / "repeats"))
    pages = {page: side.pages.get(page, []) for page in options.pages}
    if lack := [k for k, v in pages.items() if len(v) < options.runs]:
        raise Refused(
            f"{build}: runs of {', '.join(lack)} are lacking, as they "
            "failed; start it again: it goes on where it was"
        )
    kept = {page: runs[: options.runs] for page, runs in pages.items()}
    return sides.Side(side.name, kept)


def planted_runs(options):
    """Make the runs with and without the slow-down; return their build."""
    build = options.build / "planted"
    lack = options.trials * options.each - len(alarms.paired(build))
    if lack > 0:
        build.mkdir(parents=True, exist_ok=True)
        copy = planted.plant(build)
        repeat(
            lack, [planted.PAGE], build, options.preset,
            "--notebooks", copy, "--against", NOTEBOOKS,
        )  # fmt: skip
    return build


def told(found):
    """Return (false alarms, trials that found it), each as (count, of)."""
    whole, slowed = found["unchanged"], found["planted"]
    own = whole["numbers"][ranks.NUMBER]
    trials = slowed["numbers"][ranks.NUMBER]
    return (
        (own["called"][alarms.BEYOND], own["series"] * whole["splits"]),
        (alarms.times_found(trials), len(trials)),
    )


@command
def main(argv=None):
    """Run the command line; return the exit code."""
    options = parse(argv)
    side = unchanged_runs(options)
    build = planted_runs(options)
    found = {
        "of": side.whose,
        "pages": list(side.pages),
        "unchanged": alarms.unchanged(side, options.splits),
        "planted": alarms.trials(build, options.trials, options.each),
    }
    files.write(options.to, json.dumps(found, indent=1) + "\n")
    (called, of), (seen, trials) = told(found)
    print(f"false alarms: {called} of {of} series, {called / of:.2%}")
    print(f"planted slow-down: found in {seen} of {trials} trials")
    return int(not alarms.few(called, of) or not alarms.most(seen, trials))


if __name__ == "__main__":
    sys.exit(main())
