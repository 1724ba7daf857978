"""What a sweep has measured, on disk: a JSON file, whole at any moment."""

import dataclasses
import json
import pathlib
from dataclasses import dataclass, field

from commandline import ROOT
from onthefly import files
from onthefly.refused import Broken

FORMAT = 1  # raise it when a key changes its meaning
SHELF = ROOT / "book" / "sweeps"  # a folder a machine
SCHEMA = pathlib.Path(__file__).with_name("sweep.schema.json")


@dataclass
class Row:
    """One version.

    version   as it is shown
    reason    why nothing of it was measured, or ""
    packages  {distribution: version} of its environment
    lost      {kernel: why it was not measured}
    runs      [{"round": number, "seconds": {kernel: of a call}, "others":
              cores that other programs used}], a process each
    """

    version: str
    reason: str = ""
    packages: dict = field(default_factory=dict)
    lost: dict = field(default_factory=dict)
    runs: list = field(default_factory=list)

    def has(self, number):
        """Tell whether a round was measured."""
        return any(run["round"] == number for run in self.runs)


@dataclass
class Sweep:
    """A sweep, as far as it has come.

    library   a distribution's name, or "python"
    command   with which it is made again
    kernels   names of the functions, in order
    size      of the problems' data
    repeat    processes a version
    made_from {path from the root: hash} of what was measured, and by what
    machine   the machine record of its beginning
    rows      a Row for each version, oldest first
    """

    library: str
    command: str
    kernels: list
    size: int
    repeat: int
    made_from: dict
    machine: dict
    rows: list
    format: int = FORMAT

    def left(self):
        """Return {round: [Row]} of what is to be measured yet.

        A row with a reason is left out.
        """
        found = {
            number: [
                r for r in self.rows if not r.reason and not r.has(number)
            ]
            for number in range(self.repeat)
        }
        return {number: rows for number, rows in found.items() if rows}

    def measured(self, kernel):
        """Return the Rows that have measured a kernel, and failed in none."""
        return [
            r
            for r in self.rows
            if not r.reason and kernel not in r.lost and r.runs
        ]


def save(sweep, path):
    """Write a Sweep, whole or not at all."""
    text = json.dumps(dataclasses.asdict(sweep), indent=1, allow_nan=False,
                      ensure_ascii=False)  # fmt: skip
    files.write(path, text + "\n")


def load(path):
    """Return the Sweep of a file.

    Raises Refused where it cannot be read, Broken where it is none.
    """
    data = files.json_data(path)
    if fault := files.breach(data, SCHEMA):
        raise Broken(
            f"{path}: {fault}",
            "restore it with git, or move it away and sweep again",
        )
    data["rows"] = [Row(**row) for row in data["rows"]]
    return Sweep(**data)
