"""Make the stack of 2018 (old_stack.txt) under a Python 3.6 found here.

python scripts/old_stack.py

It goes to _build/old_stack, where pages on Numba look for it.  A
second run finds it made and does nothing.
"""

import subprocess
import sys
from pathlib import Path

from commandline import Parser, command
from commandline.programs import run
from onthefly.experiments.numba import stacks
from onthefly.refused import Refused
from onthefly.tools import interpreters

PINS = Path(__file__).with_name("old_stack.txt")
PIP = ["pip==21.3.1", "setuptools==59.6.0"]  # the last ones for 3.6
TRY = "import numba; f = numba.njit(lambda x: x + 1); assert f(1) == 2"


def works(python):
    """Tell whether the stack's interpreter runs what is pinned."""
    if not python.exists():
        return False
    freeze = [python, "-m", "pip", "freeze", "--disable-pip-version-check"]
    done = run(freeze, capture_output=True, text=True)
    pins = {p for p in PINS.read_text().split("\n") if "==" in p}
    if not pins <= set(done.stdout.split()):
        return False
    leave = TRY + "; import os; os._exit(0)"  # see keep_environments
    return not run([python, "-c", leave]).returncode


def make(python, folder):
    """Make the environment; raises CalledProcessError where it fails."""
    install = [folder / "bin" / "python", "-m", "pip", "install", "-q"]
    for step in (
        [python, "-m", "venv", "--clear", folder],
        [*install, *PIP],
        [*install, "--only-binary", ":all:", "-r", PINS],
    ):
        run(step, capture_output=True, text=True).check_returncode()


@command
def main(argv=None):
    """Run the command; return its exit status."""
    Parser(__doc__, whole=True).parse_args(argv)
    folder = stacks.folder()
    if works(stacks.old_python()):
        print(f"old_stack: {folder} is there")
        return 0
    found = [i for i in interpreters.find() if i["minor"] == 6]
    if not found:
        raise Refused(
            "no Python 3.6 found; repair: name one in the variable "
            "ONTHEFLY_PYTHONS"
        )
    try:
        make(found[0]["path"], folder)
    except subprocess.CalledProcessError as error:
        lines = (error.stderr or "").strip().splitlines() or [str(error)]
        raise Refused(f"{folder}: {lines[-1]}") from None
    if not works(stacks.old_python()):
        raise Refused(f"{folder} was made and does not run Numba")
    print(f"old_stack: made {folder} with Python {found[0]['version']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
