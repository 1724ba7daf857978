"""Make the software of then, under the Pythons of then found here.

python scripts/old_stack.py [NAME ...]

Each environment holds what scripts/pins/NAME.txt pins, and lies in
_build/old_stack/NAME, where the pages look for it.  One that is there stays
as it is.  The talks' own needs a Python 3.6, the oldest NumPy of the page on
the jump a 3.7.  Without any, the pages tell what other machines recorded.
"""

import sys

from commandline import ROOT, Parser, command
from onthefly.errors import UserError
from onthefly.experiments.memory import jump_versions
from onthefly.experiments.then import environments, keras_pieces, nodes
from onthefly.tools import interpreters
from onthefly.tools.programs import run
from onthefly.tools.uv import Impossible, uv

PINS = ROOT / "scripts" / "pins"
NAMES = (
    environments.NAMES
    | keras_pieces.ENVIRONMENT
    | jump_versions.ENVIRONMENTS
    | nodes.ENVIRONMENT
)
TRIES = {  # what must run there; some versions crash as they end
    "numba": "import numba; f = numba.njit(lambda x: x + 1); "
    "assert f(1) == 2",
    "numpy": "import cloudpickle, numpy as np; "
    "assert np.random.default_rng().random(2).size == 2",
    "dask": "import dask, tensorflow; "
    "assert dask.delayed(sum)([1, 2]).compute() == 3",
    "keras": "import keras, tensorflow; "
    "assert keras.backend.eval(keras.backend.variable(1)) == 1",
    "tensorflow": "import tensorflow as tf; assert "
    "tf.Session().run(tf.constant(1) + 1) == 2",
}
TRIES["protobuf"] = TRIES["tensorflow"]


def works(name):
    """Tell whether an environment runs what is pinned."""
    python = environments.python(name)
    if not python.exists():
        return False
    lines = (PINS / f"{name}.txt").read_text("utf-8").splitlines()
    try:
        here = uv("pip", "freeze", "--python", python).split()
    except Impossible:
        return False
    if not {line for line in lines if "==" in line} <= set(here):
        return False
    source = f"{TRIES[name.partition('-')[0]]}; import os; os._exit(0)"
    return not run([python, "-c", source]).returncode


def make(python, name):
    """Make an environment; raises UserError where it fails."""
    folder = environments.folder(name)
    inside = environments.python(name)
    pins = PINS / f"{name}.txt"
    try:
        uv("venv", "--clear", "--python", python, folder)
        uv("pip", "install", "--python", inside, "-r", pins)
    except Impossible as error:
        raise UserError(f"{folder}: {error}") from None
    if not works(name):
        raise UserError(f"{folder} was made and does not run {name}")


@command
def main(argv=None):
    """Run the command; return its exit status."""
    parser = Parser(__doc__, whole=True)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", choices=[*NAMES, []],
        help=f"{', '.join(NAMES)} (default: all)",
    )  # fmt: skip
    names = parser.parse_args(argv).names or NAMES
    found = [i for i in interpreters.find() if not i["free_threaded"]]
    lacking = {}
    for name in names:
        if works(name):
            print(f"old_stack: {environments.folder(name)} is there")
            continue
        minor = jump_versions.MINORS.get(name, 6)
        old = next((i for i in reversed(found) if i["minor"] == minor), None)
        if old is None:
            lacking.setdefault(f"3.{minor}", []).append(name)
            continue
        make(old["path"], name)
        print(
            f"old_stack: made {environments.folder(name)} with Python "
            f"{old['version']}"
        )
    if lacking:
        said = (f"{k} for {', '.join(each)}" for k, each in lacking.items())
        raise UserError(
            f"no Python {'; none '.join(said)}; repair: name one in the "
            "variable ONTHEFLY_PYTHONS"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
