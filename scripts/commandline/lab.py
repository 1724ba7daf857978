"""See that this checkout's lab can be imported, or end in one line.

In the .venv of `make` it is installed, elsewhere PYTHONPATH names it.  The
check is made at the import, before any other module needs the lab.
"""

import importlib.util
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "notebooks" / "onthefly"


def missing():
    """Return why the lab of this checkout cannot be imported, or ""."""
    spec = importlib.util.find_spec("onthefly")
    repair = f"repair: set PYTHONPATH={HERE.parent}, or run make env"
    if spec is None or spec.origin is None:
        return f"the lab cannot be imported; {repair}"
    origin = pathlib.Path(spec.origin).resolve().parent
    if origin != HERE:  # it would read and write that checkout's files
        return f"the lab is imported from {origin}, not from {HERE}; {repair}"
    return ""


if _why := missing():
    _program = pathlib.Path(sys.argv[0])
    if _program.resolve().parent != ROOT / "scripts":  # a test, a child
        raise ImportError(_why)
    print(f"{_program.name}: {_why}", file=sys.stderr)
    sys.exit(2)
