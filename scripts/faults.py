#!/usr/bin/env python3
"""Plant every fault that the book must stand, and say what was seen.

    scripts/faults.py                 plant all: some three minutes
    scripts/faults.py --only NAME     plant this one; may stand several times
    scripts/faults.py --list          say what there is, and plant nothing

Real processes meet real faults: full disks, broken files, signals.  Each is
planted in a folder of its own that is thrown away.  Exit status: 0 all held,
1 one did not, 2 an unknown NAME.
"""

import sys

from commandline import Parser, command, unknown
from planting.every import FAULTS
from planting.registry import tried


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(__doc__, whole=True)
    add = parser.add_argument
    add("--only", action="append", metavar="NAME", help="a fault's name")
    add("--list", action="store_true", help="plant nothing")
    options = parser.parse_args(argv)
    for name in options.only or ():
        if name not in FAULTS:
            raise unknown("fault", name, list(FAULTS))
    return options


@command
def main(argv=None):
    """Run the command; return its exit status."""
    options = parse(argv)
    chosen = [FAULTS[name] for name in options.only or FAULTS]
    width = max(len(fault.name) for fault in chosen)
    if options.list:
        for fault in chosen:
            print(f"{fault.name:{width}}  {fault.says}")
        return 0
    print(f"{'fault':{width}}  held  code  seconds  seen")
    fell = 0
    for fault in chosen:
        seen = tried(fault)
        code = "" if seen.code is None else seen.code
        print(
            f"{fault.name:{width}}  {'yes' if seen.held else 'NO':4}  "
            f"{code:>4}  {seen.seconds:7.1f}  {seen.line[:200]}",
            flush=True,
        )
        fell += not seen.held
    print(f"{len(chosen) - fell} of {len(chosen)} faults held")
    return int(fell > 0)


if __name__ == "__main__":
    sys.exit(main())
