#!/usr/bin/env python3
"""Say which way is predicted to be the cheapest, and what each would take.

    python scripts/choose.py --problem polynomial --size 1e5 --calls 1e3 \\
        [--cores 2] [--data lists] [--loaded] [--device] \\
        [--machine NAME] [--json]

The prediction rests on what the page "Eight problems" measured on a machine:
the one at hand, or the one that recorded it last; --machine names another.
The book's page "Which one should I choose?" gives the same answers, and says
how they were tested.

Exit code 0: answered; 2: refused.
"""

import argparse
import json
import shutil
import sys
import textwrap

from choosing import kept, words
from commandline import Parser, command, unknown
from onthefly.experiments.choice import prediction
from onthefly.experiments.choice.problems import PROBLEMS
from onthefly.refused import Refused

MOST = 10**15  # the largest size and number of calls


def count(text):
    """Return a whole number, as 1000 or 1e3: argparse's `type`."""
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not (1 <= value <= MOST and value == int(value)):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no whole number from 1 to {MOST:.0e}, as 1000 or "
            "1e3"
        )
    return int(value)


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(__doc__, whole=True)
    add = parser.add_argument
    add("--problem", required=True, metavar="NAME",
        help=f"what yours is like: {', '.join(PROBLEMS)}")  # fmt: skip
    add("--size", required=True, type=count, metavar="N", help="of each call")
    add("--calls", type=count, default=1, metavar="N", help="(default: 1)")
    add("--cores", type=count, metavar="N", help="(default: the machine's)")
    add("--data", choices=prediction.DATA, default="own",
        help="the form of your data; own: the one that each way takes "
        "(default: own)")  # fmt: skip
    add("--loaded", action="store_true",
        help="your program has imported the libraries already")  # fmt: skip
    add("--device", action="store_true", help="ways on a GPU may be chosen")
    add("--machine", metavar="NAME", help="whose measurements")
    add("--json", action="store_true", help="print JSON")
    return parser.parse_args(argv)


def chosen(options):
    """Return (name of the machine, prediction.Choices) of the options.

    Raises Refused for a problem or a machine that is not there.
    """
    if options.problem not in PROBLEMS:
        raise unknown("problem", options.problem, list(PROBLEMS))
    found = kept.needed()
    name = options.machine or kept.default(found)
    if name not in found:
        raise unknown("machine", name, list(found))
    measured = prediction.choices(found[name])
    if options.problem not in measured:
        there = ", ".join(measured) or "no problem"
        raise Refused(
            f"{options.problem}: not measured on {name}, but {there}; run "
            f"scripts/run.py {prediction.PAGE}"
        )
    return name, measured[options.problem]


def rows(choices, n, given):
    """Return a dict for each way, the cheapest first: seconds and gain."""
    ranked = choices.ranked(n, **given)
    return [
        {
            "way": way,
            "name": words.name(choices, way),
            "seconds": _ends(q),
            "gain": _ends(prediction.gain(ranked, way)),
            "measured up to": int(choices.costs[way].curve.upto),
        }
        for way, q in ranked.items()
    ]


def _ends(quantity):
    return quantity and [quantity.value, quantity.low, quantity.high]


def table(choices, n, given):
    """Return the ways as lines of aligned columns."""
    ranked = choices.ranked(n, **given)
    lines = [["way", "predicted", "as fast as Python"]]
    for way, seconds in ranked.items():
        gain = prediction.gain(ranked, way)
        lines.append(
            [
                words.name(choices, way),
                str(seconds),
                str(gain) if gain else "–",
            ]
        )
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            cell.ljust(w) for cell, w in zip(line, widths, strict=True)
        ).rstrip()
        for line in lines
    ]


@command
def main(argv=None):
    """Answer; return the exit code."""
    options = parse(argv)
    name, choices = chosen(options)
    workers = options.cores or choices.workers
    asked = {
        "calls": options.calls,
        "workers": workers,
        "data": options.data,
        "imports": not options.loaded,
    }
    given = {**asked, "device": options.device}
    said = words.answer(choices, options.size, **given)
    if options.json:
        best = choices.winner(options.size, **given)
        print(
            json.dumps(
                {
                    "machine": name,
                    "problem": options.problem,
                    "size": options.size,
                    **given,
                    "best": best.way,
                    "rivals": best.rivals,
                    "beyond": best.beyond,
                    "ways": rows(choices, options.size, given),
                },
                indent=1,
                ensure_ascii=False,
            )
        )
        return 0
    width = min(max(shutil.get_terminal_size((80, 24)).columns, 40), 80)
    parts = [
        f"{words.asked(choices, options.size, **asked)}.",
        f"Measured: {choices.found.origin}.",
        said,
        words.cores(choices, workers),
    ]
    for part in filter(None, parts):
        print(textwrap.fill(part, width))
    print("", *table(choices, options.size, given), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
