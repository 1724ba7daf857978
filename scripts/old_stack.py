"""Make the stack of 2018 (old_stack.txt) under a Python 3.6 found here.

python scripts/old_stack.py

It goes to _build/old_stack, where pages on Numba look for it.  A
second run finds it made and does nothing.
"""

import sys
from pathlib import Path

from commandline import Parser, command
from commandline.programs import run
from commandline.uv import WHEELS, Impossible, uv
from onthefly.errors import UserError
from onthefly.experiments.numba import stacks
from onthefly.tools import interpreters

PINS = Path(__file__).with_name("old_stack.txt")
TRY = "import numba, os; f = numba.njit(lambda x: x + 1); assert f(1) == 2; "
TRY += "os._exit(0)"  # what this Numba compiled may crash as it is dropped


def works(python):
    """Tell whether the stack's interpreter runs what is pinned."""
    if not python.exists():
        return False
    pins = {p for p in PINS.read_text().split("\n") if "==" in p}
    try:
        here = uv("pip", "freeze", "--python", python)
    except Impossible:
        return False
    return (
        pins <= set(here.split()) and not run([python, "-c", TRY]).returncode
    )


def make(python, folder):
    """Make the environment; raises UserError where it fails."""
    inside = folder / "bin" / "python"
    try:
        uv("venv", "--clear", "--python", python, folder)
        uv("pip", "install", "--python", inside, *WHEELS, "-r", PINS)
    except Impossible as error:
        raise UserError(f"{folder}: {error}") from None
    if not works(inside):
        raise UserError(f"{folder} was made and does not run Numba")


@command
def main(argv=None):
    """Run the command; return its exit status."""
    Parser(__doc__, whole=True).parse_args(argv)
    folder = stacks.folder()
    if works(stacks.old_python()):
        print(f"old_stack: {folder} is there")
        return 0
    old = next((i for i in interpreters.find() if i["minor"] == 6), None)
    if old is None:
        raise UserError(
            "no Python 3.6 found; repair: name one in the variable "
            "ONTHEFLY_PYTHONS"
        )
    make(old["path"], folder)
    print(f"old_stack: made {folder} with Python {old['version']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
