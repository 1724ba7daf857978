#!/usr/bin/env python3
"""Keep what a run measured as the results of a named machine.

    python scripts/record.py --name NAME [--preset L] [CHAPTER...]

Takes the results of scripts/run.py on this machine and puts them under
book/results/NAME/, where the pages of other machines draw them.  All of
them are checked first: each that is noisy, unfinished, of another preset or
made by another version of the lab is named, and then nothing is written.

Exit code 0: recorded, or recorded before; 2: refused.
"""

import argparse
import json
import os
import pathlib
import re
import sys

# Scripts run without an install: the lab sits beside the notebooks.
sys.path.insert(
    0, str(pathlib.Path(__file__).resolve().parents[1] / "notebooks")
)

from onthefly import machine, provenance, results, timings
from onthefly.refused import Refused as Unreadable

NOISY = 0.2  # the share of a chapter's series that may be noisy


class Refused(Exception):
    """Why nothing was recorded: one line with what, where and repair."""


def shown(path):
    """Return `path` as a reader would type it from here."""
    near = os.path.relpath(path)
    return str(path) if near.startswith("..") else near


def files(folder, chapters):
    """Return the results files of the chapters, by default all.

    Raises Refused where there is none.
    """
    if not chapters:
        found = sorted(folder.glob("*.json"))
        if found:
            return found
        raise Refused(
            f"{shown(folder)}: no results there; "
            "repair: scripts/run.py --preset L, or --build, or --machine"
        )
    return [folder / f"{chapter}.json" for chapter in chapters]


def noisy(found):
    """Return (noisy series, all series) of a chapter's Results."""
    doubts = [
        timings.doubt(series, times.cores)
        for times in found.timings.values()
        for series in times
    ]
    return sum(map(bool, doubts)), len(doubts)


def failed(path):
    """Tell whether the last run of a results file's chapter failed.

    scripts/run.py then leaves a partial notebook; the results are older.
    """
    name = path.stem.replace("-", "_")
    folder = path.parents[2] / "partial"
    return any(folder.glob(f"[0-9]*_{name}.ipynb"))


def faults(path, preset, share):
    """Yield a line for each reason not to keep the results in a file."""
    try:
        found = results.load(path)
    except Unreadable as error:
        yield str(error)
        return
    again = f"repair: scripts/run.py {path.stem} --preset {preset} --force"
    if found.preset != preset:
        yield f"{shown(path)}: preset {found.preset}, not {preset}; {again}"
    if not found.finished or failed(path):
        yield (
            f"{shown(path)}: the chapter did not come to its end, so a check "
            f"may have failed; {again}"
        )
    measuring = {
        k: v for k, v in found.lab.items() if k not in results.SHOWING
    }
    changed = [k for k, v in measuring.items() if provenance.lab_hash(k) != v]
    if changed or not found.lab:
        names = ", ".join(changed) or "of unknown state"
        yield (
            f"{shown(path)}: measured by another version of the lab "
            f"({names}); {again}"
        )
    count, every = noisy(found)
    if count > share * every:
        yield (
            f"{shown(path)}: {count} of {every} series are noisy, above "
            f"{share:.0%}; {again} while nothing else runs"
        )


def other_machine(path, about):
    """Return a line where a recorded file is another machine's, or ""."""
    kept = results.load(path).machine
    for key in ("cpu", "cores", "gpus"):
        was, now = kept[key], about[key]
        if key == "gpus":
            was, now = ([g["name"] for g in x] for x in (was, now))
        if was != now:
            return (
                f"{shown(path)}: another machine has this name "
                f"({key}: {was}, here {now}); repair: choose another --name"
            )
    return ""


def renamed(path, name):
    """Return a results file's text with `name` as its machine."""
    data = json.loads(path.read_text(encoding="utf-8"))
    data["onthefly"]["machine"]["slug"] = name
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False)


def record(sources, name, preset, share, shelf):
    """Check all results, then write them; yield a line for each.

    Raises Refused, with a line for each reason, before anything is written.
    """
    reasons = [f for p in sources for f in faults(p, preset, share)]
    if not reasons:
        about = results.load(sources[0]).machine
        kept = sorted((shelf / name).glob("*.json"))
        reasons = [other_machine(path, about) for path in kept[:1]]
    if lines := "\n".join(filter(None, reasons)):
        raise Refused(lines)
    texts = {shelf / name / p.name: renamed(p, name) for p in sources}
    for path, text in texts.items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            yield f"{shown(path)}: unchanged"
            continue
        results.write_atomically(path, text)
        yield f"{shown(path)}: recorded"


def parse(argv):
    """Return the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("chapters", nargs="*", metavar="CHAPTER", help="default: all")
    add("--name", required=True, help="what the machine is called, e.g. h200")
    add("--preset", default="L", help="refuse another one (default: L)")
    add(
        "--noisy", type=float, default=NOISY, metavar="SHARE",
        help=f"of noisy series in a chapter at most (default: {NOISY})",
    )  # fmt: skip
    add(
        "--build", type=pathlib.Path, default=results.build_dir(),
        metavar="DIR", help="where run.py put its output (default: _build)",
    )  # fmt: skip
    add(
        "--machine", default=machine.slug(), metavar="SLUG",
        help="the folder in its results (default: this machine's)",
    )  # fmt: skip
    add("--to", type=pathlib.Path, default=results.RECORDED,
        help="default: book/results")  # fmt: skip
    return parser.parse_args(argv)


def main(argv=None):
    """Run the command; return its exit code."""
    options = parse(argv)
    try:
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", options.name):
            raise Refused(
                f"--name {options.name!r}: no plain name; repair: small "
                "letters, digits and single hyphens, as in h200-16c"
            )
        folder = options.build / "results" / options.machine
        for line in record(
            files(folder, options.chapters), options.name,
            options.preset, options.noisy, options.to,
        ):  # fmt: skip
            print(f"record: {line}")
    except Refused as error:
        for line in str(error).splitlines():
            print(f"record: {line}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
