#!/usr/bin/env python3
"""Compare new repeats with the last ones of this kind of machine.

    python scripts/run.py PAGE... --repeat 20 --build _build/candidate
    python scripts/baseline.py
    python scripts/baseline.py --kind PRESET

It compares _build/candidate with _build/baseline, whose place the candidate
then takes, and writes _build/compare.html; of machines that are shared, twins
differ by some percent, so that only a change by more counts.  Where
GITHUB_STEP_SUMMARY names a file, the outcome is added there.  --kind runs
nothing, and names what two runs must have in common: the workflow keeps a
baseline for each.

Exit code: as of `onthefly compare`, 0: no regression, 1: slower, 2: nothing
could be compared; but 0 also where there is no baseline yet.
"""

import contextlib
import hashlib
import io
import json
import os
import shutil
import sys

from commandline import Parser, command, shown
from onthefly import commands
from onthefly.compare import differences, runs
from onthefly.errors import UserError
from onthefly.folders import build_dir
from onthefly.measure import machine

THRESHOLD = 0.2  # by which two shared machines of one kind do not differ
OUTCOMES = ("No regression", "Slower", "Nothing could be compared")
FIRST = "First run of its kind: there is no baseline yet"


def parse(argv):
    """Return the command line's options."""
    parser = Parser(__doc__, whole=True)
    parser.add_argument(
        "--kind",
        metavar="PRESET",
        help="name this machine's kind at a preset",
    )
    return parser.parse_args(argv)


def kind(preset):
    """Return a name for machines like this one, at a preset."""
    facts = differences.kind(machine.record())
    text = json.dumps(facts, sort_keys=True)
    name = hashlib.sha256(text.encode()).hexdigest()[:12]
    return "-".join([machine.slug(), name, preset])


def compared(base, new, page):
    """Return (exit code, what `onthefly compare` prints) of two folders."""
    line = ["compare", base, new, "--html", page]
    line += ["--despite", "lab", "--threshold", THRESHOLD]
    with (
        contextlib.redirect_stdout(io.StringIO()) as text,
        contextlib.redirect_stderr(text),
    ):
        code = commands.main([*map(str, line)])
    return code, text.getvalue()


def tell(outcome, text):
    """Print the outcome, and add it to the summary of a step."""
    print(outcome, text, sep="\n")
    if path := os.environ.get("GITHUB_STEP_SUMMARY"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"## {outcome}\n\n```\n{text}```\n")


@command
def main(argv=None):
    """Run the command line; return the exit code."""
    options = parse(argv)
    if options.kind:
        print(kind(options.kind))
        return 0
    build = build_dir()
    base, new = build / "baseline", build / "candidate"
    if not new.exists():
        raise UserError(
            f"{shown(new)}: not there; make it by scripts/run.py PAGE... "
            f"--repeat 20 --build {shown(new)}"
        )
    side = runs.read(str(new))
    if base.exists():
        code, text = compared(base, new, build / "compare.html")
        tell(OUTCOMES[code], text)
    else:
        code = 0
        tell(FIRST, f"{side.runs} runs of {side.whose}\n")
    if code in range(len(OUTCOMES)):
        shutil.rmtree(base, ignore_errors=True)
        new.rename(base)
    return code


if __name__ == "__main__":
    sys.exit(main())
