"""Measure what a function costs, and what makes it faster.

    onthefly confirm package.module:function
    onthefly confirm path/to/file.py:function --sizes 1e2:1e6 --arg samples
    onthefly confirm before.py:f after.py:f --arg samples

The function takes one argument, its size n.  If it needs others, --arg names
a function of n that returns its argument, or a tuple of its arguments.

The command times the function as it is, compiled by Numba in several ways,
and replaced by a library routine if it is equivalent to one.  All take
turns, and only methods with the same results count.  Then it tries many
calls in threads and in processes.  With several functions, it compares the
others with the first.

Exit codes: 0 measured; 2 refused, or the function failed, and nothing was
written; 130 interrupted.
"""

import pathlib
import sys
import time

from onthefly import files
from onthefly.terminal import width


def add_arguments(parser):
    """Name what the command takes."""
    add = parser.add_argument
    add(
        "functions",
        metavar="MODULE:FUNCTION",
        nargs="+",
        help="or FILE.py:FUNCTION; others are compared with the first",
    )
    add(
        "--sizes",
        default="1e2:1e6",
        help="smallest:largest, two sizes per power of ten, or a list such "
        "as 100,1000 (default: 1e2:1e6)",
    )
    add(
        "--arg",
        metavar="MAKER",
        help="a function of n that returns the arguments: "
        "MODULE:FUNCTION, or a name in the module of the function",
    )
    add(
        "--threads",
        metavar="COUNTS",
        help="1:8, or a list such as 1,2,3 (default: up to the usable cores)",
    )
    add(
        "--html",
        type=pathlib.Path,
        metavar="FILE",
        help="also write an HTML page",
    )
    add("--json", action="store_true", help="print JSON")
    add(
        "--budget",
        default=24.0,
        type=float,
        metavar="SECONDS",
        help="how long to take samples (default: 24)",
    )
    add(
        "--limit",
        type=float,
        metavar="SECONDS",
        help="stop a step that takes longer (default: 60, or 4 budgets)",
    )
    add(
        "--seed",
        default=0,
        type=int,
        help="seed of the order in which samples are taken (default: 0)",
    )


def run(options):
    """Measure and report; return the exit code."""
    from onthefly.diagnose import request, showing
    from onthefly.diagnose.diagnosis import diagnose
    from onthefly.diagnose.target import Target
    from onthefly.terminal.sizes import sizes_of

    request.check_page(options.html)
    targets = [Target.named(place) for place in options.functions]
    asked = request.Request.of(
        targets,
        sizes_of(options.sizes),
        request.threads_of(options.threads),
        options.budget,
        options.limit,
        targets[0].beside(options.arg) if options.arg else None,
        options.seed,
    )
    with Progress() as progress:
        report = diagnose(asked, progress)
    if options.html:
        files.write(options.html, showing.page(report))
    print(showing.as_json(report) if options.json
          else showing.text(report, width()))  # fmt: skip
    if options.html and not options.json:
        print(f"\npage: {options.html}")
    return 0


class Progress:
    """Tell each step, with the seconds so far, on the standard error.

    On a terminal the line is written over; in a log it is a line each.
    """

    def __init__(self):
        self._began = time.monotonic()
        self._over = sys.stderr.isatty()

    def __call__(self, step):
        taken = time.monotonic() - self._began
        line = f"{taken:3.0f} s  {step}"
        if self._over:
            print(f"\r\x1b[K{line} …", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Clear the line."""
        if self._over:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
