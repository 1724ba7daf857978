#!/usr/bin/env python3
"""Count the device's instructions in the kernels of the device's limit.

    python scripts/instructions.py            write book/instructions.json
    python scripts/instructions.py --check    say whether it is up to date

It needs nvcc and nvdisasm, and no device.  Pages built without them show the
counts of this file.  Exit code 0: done; 1: the file is not up to date; 2: a
tool is missing.
"""

import argparse
import json
import sys
from pathlib import Path

# Scripts run without an install: the lab sits beside the notebooks.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "notebooks"))

from onthefly import results
from onthefly.experiments.gpu import sass
from onthefly.kernels import pi_device_limit


def counts():
    """Return {key of a source: its instructions a turn}."""
    return {
        sass.key(pi_device_limit.source(way, 8)): sass.per_turn(
            lambda turns, way=way: pi_device_limit.source(way, turns)
        )
        for way in pi_device_limit.WAYS
    }


def main(argv=None):
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(argv)
    if lack := sass.missing():
        print(f"instructions: {lack}; repair: install it", file=sys.stderr)
        return 2
    found = {"compiler": sass.compiler(), "counts": counts()}
    text = json.dumps(found, indent=1) + "\n"
    path = sass.RECORDED
    if path.exists() and path.read_text("utf-8") == text:
        return 0
    if options.check:
        print(f"instructions: {path} is not up to date", file=sys.stderr)
        return 1
    results.write_atomically(path, text)
    print(f"instructions: wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
