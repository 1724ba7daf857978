"""The race of two threads under PyPy, which has a GIL and compiles."""

import shutil

from onthefly.experiments.gil import race_standalone, races
from onthefly.tools import interpreter_child
from onthefly.tools.processes import Program, answer

PYTHON = shutil.which("pypy3")
FASTER = 20  # about: so many more steps take as long as CPython's


def here():
    """Tell whether this machine has it."""
    return PYTHON is not None


def raced(update, steps, runs):
    """Return a dict, for a look: the language it speaks; ends, lost by run.

    update  a text, as in `race_standalone`
    steps   of each thread under CPython; here FASTER times as many
    """
    facts = answer(interpreter_child.__name__, "facts", python=PYTHON)
    with Program(race_standalone.__name__, python=PYTHON) as program:
        ends = races.losses(update, FASTER * steps, runs, ask=program.ask)
    return {"language": facts["version"], "ends": ends}
