"""What every command of scripts/ imports before anything of the package.

So it is also the place that says in one line where the package of this
checkout is missing (`lab`).
"""

from commandline import lab
from onthefly.terminal import (
    Interrupted,
    Parser,
    aligned,
    check_name,
    command,
    first,
    folder,
    shown,
    unknown,
    width,
)

__all__ = [
    "ROOT", "Interrupted", "Parser", "aligned", "check_name", "command",
    "first", "folder", "shown", "unknown", "width",
]  # fmt: skip

ROOT = lab.ROOT
