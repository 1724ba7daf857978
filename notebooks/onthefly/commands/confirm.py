"""Report what a function costs, and what would make it faster.

    onthefly confirm package.module:function
    onthefly confirm path/to/file.py:function --sizes 1e2:1e6 --arg samples
    onthefly confirm before.py:f after.py:f --arg samples

The function takes one argument, its size n; or what --arg makes of n: a tuple
of its arguments, or its one argument.  It is called as it is, compiled by
Numba in several ways, and replaced by a library's routine where it is one,
all in turns; only methods with the same results count.  Then many calls are
tried in threads and in processes.  Several functions are compared with the
first.

Exit code 0: measured; 2: refused, or the function failed, and nothing was
written; 130: interrupted.
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
        help="or FILE.py:FUNCTION; several are compared with the first",
    )
    add(
        "--sizes",
        default="1e2:1e6",
        help="smallest:largest, in steps of half a decade, or a list "
        "100,1000 (default: 1e2:1e6)",
    )
    add(
        "--arg",
        metavar="MAKER",
        help="a function of the size that makes the arguments; "
        "MODULE:FUNCTION, or a name in the function's own module",
    )
    add(
        "--threads",
        metavar="COUNTS",
        help="1:8, or a list 1,2,3 (default: up to the usable cores)",
    )
    add("--html", type=pathlib.Path, metavar="FILE", help="write a page, too")
    add("--json", action="store_true", help="print JSON")
    add(
        "--budget",
        default=24.0,
        type=float,
        metavar="SECONDS",
        help="time for the samples (default: 24)",
    )
    add(
        "--limit",
        type=float,
        metavar="SECONDS",
        help="end a step's process after so long (default: 60, or 4 budgets)",
    )
    add("--seed", default=0, type=int, help="of the order of the samples")


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
