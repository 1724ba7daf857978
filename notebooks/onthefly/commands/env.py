"""Check each library that onthefly can use, and say what it is needed by.

    onthefly env                 check all
    onthefly env numba torch     check these
    onthefly env --gpu           check the GPU and the libraries for it

Each library is used in a process of its own.  A line says OK, missing or
FAIL, its version, and if it does not work, why and what needs it.  Known
faults are named with their repair.  In a clone of the book, the libraries
that its pages need are checked, too.

Exit codes: 0 all required libraries work (with --gpu: there is a device, a
library uses it and none fails); 1 one does not; 2 refused, as for an unknown
NAME.
"""

import dataclasses
import functools
import json
import sys

from onthefly.terminal import unknown


def add_arguments(parser):
    """Name what the command takes."""
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="a library (default: all)")
    add("--gpu", action="store_true", help="check whether the GPU is ready")
    add("--json", action="store_true", help="print JSON")


def run(options):
    """Try; return the exit code."""
    from onthefly.environment import ready, trials

    for name in options.names:
        if name not in trials.TRIALS:
            raise unknown("library", name, list(trials.TRIALS))
    # Each line once it is known; beside JSON it is progress.
    file = sys.stderr if options.json else sys.stdout
    say = functools.partial(print, flush=True, file=file)
    say(f"Python {sys.version.split()[0]}, {sys.executable}")
    if options.gpu:
        tried, wrong = ready.check_gpu(say)
    else:
        tried, wrong = ready.check(options.names or list(trials.TRIALS), say)
    if options.json:
        print(_as_json(tried, wrong))
    for line in wrong:
        print(f"onthefly env: {line}", file=sys.stderr)
    return int(bool(wrong))


def _as_json(tried, wrong):
    """Return what came out as JSON text."""
    data = {
        "python": sys.version.split()[0],
        "executable": sys.executable,
        "libraries": [dataclasses.asdict(one) for one in tried],
        "faults": wrong,
    }
    return json.dumps(data, indent=1, ensure_ascii=False)
