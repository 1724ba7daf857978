#!/usr/bin/env python3
"""Judge the generators of the fast loops by TestU01's batteries.

    scripts/testu01.py                        SmallCrush: ten seconds each
    scripts/testu01.py --battery Crush NAME   up to an hour
    scripts/testu01.py --backwards NAME       the bits of each word in reverse

NAME is a generator, by its name or how it begins.  What comes of it goes into
book/testu01.json, beside what is there.  It needs TestU01 (Debian's
libtestu01-0-dev), a C compiler, and a processor with AES.

Exit code 0: written; 2: a generator is unknown, or a tool is missing.
"""

import datetime
import json
import sys

from commandline import Parser, command
from onthefly import files
from onthefly.errors import UserError
from onthefly.experiments.speed import batteries
from onthefly.measure import machine


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="generators (default: all)"
    )
    parser.add_argument(
        "--battery", choices=batteries.BATTERIES, default="SmallCrush",
        help="of tests (default: SmallCrush)",
    )  # fmt: skip
    parser.add_argument(
        "--backwards", action="store_true",
        help="reverse the bits of each word",
    )  # fmt: skip
    return parser.parse_args(argv)


def chosen(names, known):
    """Return the generators that names stand for: all without one.

    Raises UserError for a name that is none's.
    """
    found = []
    for name in names:
        alike = [one for one in known if one.startswith(name)]
        if not alike:
            raise UserError(
                f"{name}: no generator; choose {'; '.join(known)}"
            )
        found += [name] if name in known else alike
    return found or list(known)


def add(entry):
    """Put what a battery says into the file, in place of what it said."""
    path = batteries.RECORDED
    old = json.loads(files.text(path)) if path.exists() else []
    who = ("generator", "battery", "backwards")
    kept = [x for x in old if [x[k] for k in who] != [entry[k] for k in who]]
    every = sorted([*kept, entry], key=lambda x: [str(x[k]) for k in who])
    files.write(path, json.dumps(every, indent=1) + "\n")


@command
def main(argv=None):
    """Run the command; return its exit code."""
    options = parse(argv)
    if lack := batteries.missing():
        raise UserError(f"{lack}; repair: apt install libtestu01-0-dev gcc")
    sources = batteries.sources()
    for name in chosen(options.names, sources):
        p_values = batteries.judged(
            sources[name], options.battery, options.backwards
        )
        failed = batteries.failures(p_values)
        add(
            {
                "generator": name,
                "battery": options.battery,
                "backwards": options.backwards,
                "machine": machine.slug(),
                "date": datetime.date.today().isoformat(),
                "p": p_values,
            }
        )
        print(
            f"{name}, {options.battery}: {len(p_values)} tests, "
            f"failed: {', '.join(failed) or 'none'}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
