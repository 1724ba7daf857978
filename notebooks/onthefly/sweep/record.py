"""What a sweep has measured, on disk: a JSON file, whole at any moment."""

import dataclasses
import json
import statistics
from dataclasses import dataclass, field

from onthefly import files
from onthefly.errors import CorruptFile
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings

FORMAT = 2  # raise it when a key changes its meaning


@dataclass
class Row:
    """One version.

    version   as it is shown
    reason    why nothing of it was measured, or ""
    packages  {distribution: version} of its environment
    failed    {kernel: why it was not measured}
    runs      [{"round": number, "seconds": {kernel: of a call, a number for
              each size}, "others": cores that other programs used}]
    """

    version: str
    reason: str = ""
    packages: dict = field(default_factory=dict)
    failed: dict = field(default_factory=dict)
    runs: list = field(default_factory=list)

    def by_round(self):
        """Return {round: run}."""
        return {run["round"]: run for run in self.runs}


@dataclass
class Sweep:
    """A sweep, as far as it has come.

    library    a distribution's name, or "python"
    command    with which it is made again
    kernels    names of the functions, in order
    sizes      of their data, ascending
    repeat     processes a version and kernel
    made_from  {file: hash} of what was measured, and by what
    machine    the machine record of its beginning
    rows       a Row for each version, oldest first
    """

    library: str
    command: str
    kernels: list
    sizes: list
    repeat: int
    made_from: dict
    machine: dict
    rows: list
    format: int = FORMAT

    def left(self, number):
        """Return the Rows that a round has yet to measure."""
        return [
            row
            for row in self.rows
            if not row.reason and number not in row.by_round()
        ]

    def timings(self, kernel):
        """Return the Timings of a kernel, by version: a sample is a process.

        Versions that failed, and rounds that not all others have yet, are
        left out.
        """
        runs = {
            row.version: row.by_round()
            for row in self.rows
            if row.runs and not row.reason and kernel not in row.failed
        }
        common = sorted(set.intersection(*map(set, runs.values()))
                        if runs else ())  # fmt: skip
        series = [
            Series(
                version,
                size,
                None,
                tuple(some[k]["seconds"][kernel][place] for k in common),
                others=statistics.fmean(some[k]["others"] for k in common),
                other_threads=0.0,
            )
            for version, some in runs.items()
            for place, size in enumerate(self.sizes)
            if common
        ]
        return Timings(series, self.machine["cores"]["machine"])


def save(sweep, path):
    """Write a Sweep, whole or not at all."""
    files.write(path, as_json(dataclasses.asdict(sweep)) + "\n")


def as_json(data):
    """Return JSON text."""
    return json.dumps(data, indent=1, allow_nan=False, ensure_ascii=False)


def load(path):
    """Return the Sweep of a file.

    Raises UserError where it cannot be read, CorruptFile where it is none.
    """
    data = files.json_data(path)
    try:
        sweep = Sweep(**data | {"rows": [Row(**row) for row in data["rows"]]})
        for kernel in sweep.kernels:
            for series in sweep.timings(kernel):
                if min(series.values) <= 0:
                    raise ValueError(f"{kernel}: not a time")
        if sweep.format != FORMAT:
            raise ValueError(f"format {sweep.format}, not {FORMAT}")
    except (TypeError, KeyError, IndexError, ValueError) as error:
        raise CorruptFile(
            f"{path}: not a sweep: {error}",
            "restore it with git, or move it away and sweep again",
        ) from None
    return sweep
