#!/usr/bin/env python3
"""Try every library that the book needs, and say what works here.

    scripts/check_env.py            try all
    scripts/check_env.py NAME...    try these
    scripts/check_env.py --gpu      is this GPU ready: device, then libraries

Each library is used, in a process of its own.  One line a library: OK,
missing or FAIL, its version, and what is lost without it or how a known
fault is repaired.  Exit status: 0 all works (with --gpu: there is a device,
one library uses it and none fails), 1 not so, 2 an unknown NAME.
"""

import functools
import sys

from checking import ready
from checking.trials import TRIALS
from commandline import Parser, command, unknown


def parse(argv):
    """Return the command line's options."""
    parser = Parser(__doc__, whole=True)
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="a library; all by default")
    add("--gpu", action="store_true", help="is the GPU ready?")
    options = parser.parse_args(argv)
    for name in options.names:
        if name not in TRIALS:
            raise unknown("library", name, list(TRIALS))
    return options


@command
def main(argv=None):
    """Run the command; return its exit status."""
    options = parse(argv)
    say = functools.partial(print, flush=True)  # each line once it is there
    if options.gpu:
        wrong = ready.check_gpu(say)
    else:
        wrong = ready.check(options.names or list(TRIALS), say)
    for line in wrong:
        print(f"check_env.py: {line}", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
