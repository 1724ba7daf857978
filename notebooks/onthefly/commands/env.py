"""Try every library that onthefly can use, and say what is lost without it.

    onthefly env                 try all
    onthefly env numba torch     try these
    onthefly env --gpu           is this GPU ready: device, then libraries

Each library is used, in a process of its own.  One line a library: OK,
missing or FAIL, its version, and what is lost without it or how a known
fault is repaired.  In a clone of the book, the libraries that its pages need
are tried, too.

Exit code 0: all that must be here works (with --gpu: there is a device, one
library uses it and none fails); 1: not so; 2: refused, as an unknown NAME.
"""

import dataclasses
import functools
import json
import sys

from onthefly.terminal import unknown


def add_arguments(parser):
    """Name what the command takes."""
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="a library; all by default")
    add("--gpu", action="store_true", help="is the GPU ready?")
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
