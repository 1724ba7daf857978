"""Kept runs by name: results of one run, or of many."""

import dataclasses
import pathlib
import re

from commandline import shown
from onthefly import results
from onthefly.errors import UserError


@dataclasses.dataclass(frozen=True)
class Side:
    """Runs of the same thing.

    name   as it was asked for
    pages  {slug: [Results, one a run]}
    files  where they lie
    """

    name: str
    pages: dict
    files: frozenset = frozenset()

    @property
    def runs(self):
        """The most runs of a page."""
        return max(map(len, self.pages.values()))

    @property
    def whose(self):
        """Whose runs these are: machine, days and preset."""
        every = [run for some in self.pages.values() for run in some]
        slugs = sorted({run.machine["slug"] for run in every})
        days = sorted({run.machine["time"][:10] for run in every})
        presets = sorted({run.preset for run in every})
        when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
        return f"{', '.join(slugs)}, {when}, preset {', '.join(presets)}"


def read(name, machine=None):
    """Return the Side that a word of the command line names.

    name, machine  as of `paths`

    Raises UserError as `paths`, and where runs are of several machines, or
    one cannot be read.
    """
    files = paths(name, machine)
    machines = sorted({path.parent.name for path in files})
    if len(machines) > 1:
        raise UserError(
            f"{name}: runs of several machines, {', '.join(machines)}; name "
            "one with --machine"
        )
    return gathered(name, files)


def gathered(name, files):
    """Return the Side of results files, in the order given."""
    pages = {}
    for path in files:
        run = results.load(path)
        pages.setdefault(run.chapter, []).append(run)
    return Side(name, pages, frozenset(path.resolve() for path in files))


def both(base, new, machine=None):
    """Return the two Sides that words of the command line name.

    Arguments as of `read`.  Raises UserError as it does, and where a run is
    on both sides: they would look alike.
    """
    was, now = (read(name, machine) for name in (base, new))
    if common := sorted(was.files & now.files):
        raise UserError(
            f"{shown(common[0])}: on both sides, {base} and {new}; name runs "
            "that differ, as FOLDER@1:4 and FOLDER@5:8"
        )
    return was, now


def paths(name, machine=None):
    """Return the results files of all runs that a word names.

    name     a build folder, one of its `repeats` or `against`, a machine's
             folder, a results file, or a recorded machine; ``FOLDER@3:8``
             takes the repeats from 3 to 8
    machine  whose runs to take, where there are several

    Raises UserError where there are none.
    """
    if not name.strip():
        raise UserError("a name of runs is empty; name a folder or a file")
    place, first, last = _parted(name)
    if not place.exists() and (results.RECORDED / place).is_dir():
        place = results.RECORDED / place
    if not place.exists():
        known = sorted(p.name for p in results.RECORDED.glob("*"))
        raise UserError(
            f"{name}: no such folder or file, and no recorded machine; "
            f"recorded are: {', '.join(known)}"
        )
    runs = _runs(place, first, last)
    files = [path for run in runs for path in _of_run(run, machine)]
    if not files:
        of = f" of machine {machine}" if machine else ""
        raise UserError(
            f"{name}: no results{of} there; name a build folder, a machine's "
            "folder or a results file, or run scripts/run.py --repeat K"
        )
    return files


def _parted(name):
    """Return (path, first, last) of a name with or without ``@3:8``."""
    match = re.fullmatch(r"(.+)@(\d+):(\d+)", name)
    if match and not pathlib.Path(name).exists():
        return pathlib.Path(match[1]), int(match[2]), int(match[3])
    return pathlib.Path(name), 0, None


def _runs(place, first, last):
    """Return the folders of runs, the first first, or a file alone."""
    if (place / "repeats").is_dir():
        place = place / "repeats"
    numbered = {
        int(path.name): path
        for path in place.glob("*")
        if re.fullmatch(r"\d{3,}", path.name)
    }
    if numbered:
        return [
            path
            for number, path in sorted(numbered.items())
            if number >= first and (last is None or number <= last)
        ]
    if last is not None:
        raise UserError(
            f"{shown(place)}: no repeats there of which @{first}:{last} "
            "could be; name a folder of scripts/run.py --repeat"
        )
    inner = place / "results"
    return [inner if inner.is_dir() else place]


def _of_run(place, machine):
    """Return the results files of one run."""
    if place.is_file():
        return [place]
    below = sorted(place.glob(f"{machine or '*'}/*.json"))
    return below or sorted(place.glob("*.json"))
