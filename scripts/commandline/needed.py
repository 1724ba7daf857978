"""See that this Python has what every page needs, or end in one line.

The check is made at the import, before any other module loads a library: on
a borrowed machine all of them may be missing.
"""

import importlib.util
import pathlib
import sys

from onthefly.environment import trials
from onthefly.measure.libraries import LIBRARIES

RUNS = ["papermill", "ipykernel", "IPython"]  # a page


def missing():
    """Return the names of the modules that are not here."""
    modules = [
        trial.module or LIBRARIES[name].module
        for name, trial in trials.TOOL.items()
        if trial.needed
    ]
    tops = [module.partition(".")[0] for module in modules + RUNS]
    return [name for name in tops if not importlib.util.find_spec(name)]


if _names := missing():
    print(
        f"{pathlib.Path(sys.argv[0]).name}: {sys.executable} has no "
        f"{', '.join(_names)}; repair: book/gpu_box.md, Install",
        file=sys.stderr,
    )
    sys.exit(2)
