"""Report what a function costs, and what would make it faster.

    onthefly confirm package.module:function --sizes 1e2:1e6 \\
        [--arg MAKER] [--threads 1:8] [--html FILE] [--budget SECONDS]

Calls function(n), or with what MAKER makes of n: fits its cost a + b·n,
compiles it with numba.njit as it is, measures its speed-up in threads and in
processes and its nogil fraction, and compares the results.  Says which of
them gained most.  In place of a module, the path of a Python file will do:
path/to/file.py:function.

Exit code 0: measured; 2: refused, or the function failed, and nothing was
written; 130: interrupted.
"""

import pathlib

from onthefly import files
from onthefly.diagnose import report
from onthefly.diagnose.measurement import measured
from onthefly.diagnose.request import request_of
from onthefly.terminal import width


def add_arguments(parser):
    """Name what the command takes."""
    add = parser.add_argument
    add(
        "function",
        metavar="MODULE:FUNCTION",
        help="function of the size, or of what --arg makes; or "
        "FILE.py:FUNCTION",
    )
    add(
        "--sizes",
        default="1e2:1e6",
        help="smallest:largest, or a list 100,1000 (default: 1e2:1e6)",
    )
    add(
        "--threads",
        metavar="COUNTS",
        help="1:8, or a list 1,2,3 (default: up to the usable cores)",
    )
    add(
        "--arg",
        metavar="MAKER",
        help="a function of the size that makes the function's arguments: a "
        "tuple of them, or its one argument; MODULE:FUNCTION, or a name in "
        "the function's own module",
    )
    add("--html", type=pathlib.Path, metavar="FILE", help="write a page, too")
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
        help="end the function's process after so long "
        "(default: 60, or 4 budgets)",
    )
    add("--seed", default=0, type=int, help="of the order of the samples")


def show(measurement, path):
    """Print the report, and write it as a page where `path` names one."""
    if path:
        files.write(path, report.page(measurement))
    print(report.text(measurement, width()))
    if path:
        print(f"\npage: {path}")


def run(options):
    """Measure and report; return the exit code."""
    request = request_of(options)
    show(measured(request), options.html)
    return 0
