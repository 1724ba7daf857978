"""The faults that are planted, and what came of one.

A fault is a function of an empty folder.  It plants the real thing there,
asserts what must hold, and returns the finished process of the command that
met it.  Its first line of documentation says what was planted.
"""

import dataclasses
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

FAULTS = {}  # {name: Fault}, in the order of the table


@dataclasses.dataclass(frozen=True)
class Fault:
    """A fault to plant.

    slow  it takes more than two seconds: left out of `make check`
    """

    name: str
    plant: Callable
    slow: bool

    @property
    def says(self):
        """What is planted, in one line."""
        return self.plant.__doc__.strip().splitlines()[0].rstrip(".")


@dataclasses.dataclass(frozen=True)
class Seen:
    """What came of a fault: did the book hold, what was seen, how long."""

    held: bool
    line: str
    code: int | None
    seconds: float


def fault(plant=None, *, slow=False):
    """Decorate a function that plants a fault; it is named for it."""
    if plant is None:
        return lambda function: fault(function, slow=slow)
    name = plant.__name__.replace("_", "-")
    FAULTS[name] = Fault(name, plant, slow)
    return plant


def tried(one):
    """Plant a Fault in a folder of its own; return what was Seen."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            done = one.plant(Path(folder).resolve())
        except Exception as error:  # the fault's own code may fall, too
            text = f"{type(error).__name__}: {error}"
            seen = False, " ".join(text.split()), None
        else:
            seen = True, last_line(done), done.returncode
    return Seen(*seen, time.monotonic() - started)


def last_line(done):
    """Return the last line of what a finished process said."""
    lines = f"{done.stdout or ''}\n{done.stderr or ''}".split("\n")
    return next((x.strip() for x in reversed(lines) if x.strip()), "")
