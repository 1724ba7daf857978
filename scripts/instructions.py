#!/usr/bin/env python3
"""Count the device's instructions in the kernels of the device's limit.

    python scripts/instructions.py            write book/instructions.json
    python scripts/instructions.py --check    say whether it is up to date

It needs nvcc and nvdisasm, and no device.  Pages built without them show the
counts of this file.  Exit code 0: done; 1: the file is not up to date; 2: a
tool is missing.
"""

import json
import sys

from commandline import Parser, command
from onthefly import files
from onthefly.errors import UserError
from onthefly.experiments.gpu import sass
from onthefly.kernels.pi import pi_device_limit


def counts():
    """Return {key of a source: its instructions a turn}."""
    return {
        sass.key(pi_device_limit.source(way, 8)): sass.per_turn(
            lambda turns, way=way: pi_device_limit.source(way, turns)
        )
        for way in pi_device_limit.WAYS
    }


@command
def main(argv=None):
    """Run the command; return its exit code."""
    parser = Parser(__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(argv)
    if lack := sass.missing():
        raise UserError(f"{lack}; install it")
    data = {"compiler": sass.compiler(), "counts": counts()}
    text = json.dumps(data, indent=1) + "\n"
    path = sass.RECORDED
    if path.exists() and path.read_text("utf-8") == text:
        return 0
    if options.check:
        print(f"instructions: {path} is not up to date", file=sys.stderr)
        return 1
    files.write(path, text)
    print(f"instructions: wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
