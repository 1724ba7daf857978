"""Kept runs by name: the sessions of what was measured."""

import dataclasses
import pathlib
import re

from onthefly import files as stored
from onthefly.compare import plain
from onthefly.compare.session import IN_A_CLONE, UNKNOWN, Run
from onthefly.errors import UserError
from onthefly.measure import data, records
from onthefly.terminal import shown


@dataclasses.dataclass(frozen=True)
class Side:
    """Runs of the same thing.

    name   as it was asked for
    pages  {slug: [Run]}
    files  where they lie, with the numbers of those that are taken
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
        preset = ", ".join(filter(None, presets))
        return f"{', '.join(slugs)}, {when}" + (
            f", preset {preset}" if preset else ""
        )


def of(measured):
    """Return the Runs of a page's data.Data, the oldest first."""
    groups = measured.groups.items()
    count = max((len(group.sessions) for _, group in groups), default=0)
    return [
        Run(
            measured.page,
            measured.machine,
            measured.preset,
            measured.device,
            measured.seed,
            _lab(measured),
            _packages(measured),
            {
                name: group.sessions[k]
                for name, group in groups
                if k < len(group.sessions)
            },
            _listed(group.key.get("instrument", "") for _, group in groups),
            _listed(
                group.version(k)
                for _, group in groups
                if k < len(group.sessions)
            ),
        )
        for k in range(count)
    ]


def _listed(values):
    """Return values in a text, each once; UNKNOWN for none."""
    return ", ".join(sorted({str(v) for v in values if v})) or UNKNOWN


def _lab(measured):
    """Return {file of the lab, or cells of a group: hash}."""
    made = {}
    for name, group in measured.groups.items():
        made |= group.key.get("files", {})
        made[f"cells of {name}"] = group.key.get("cells", "")
    return made


def _packages(measured):
    """Return {distribution: version} of all groups."""
    used = {}
    for group in measured.groups.values():
        used |= group.key.get("packages", {})
    return used


def read(name, machine=None):
    """Return the Side that a word of the command line names.

    name     a build folder, a folder of data, a data file, a file of
             pyperf's, or a recorded machine; ``FOLDER@3:8`` takes the
             sessions from 3 to 8
    machine  whose runs to take, where there are several

    Raises UserError where there are none, they are of several machines or
    presets, or one cannot be read.
    """
    if not name.strip():
        raise UserError(
            "the name of a set of runs is empty; name a folder or a file"
        )
    _, first, last = _parted(name)
    pages, taken = {}, set()
    for path in files(name, machine):
        for page, runs in _of_file(path).items():
            every = runs[first - 1 : last]
            pages.setdefault(page, []).extend(every)
            numbers = range(first, first + len(every))
            taken |= {(path.resolve(), number) for number in numbers}
    pages = {page: runs for page, runs in pages.items() if runs}
    if not pages:
        raise UserError(
            f"{name}: no sessions from {first} on; repair: {_more()}"
        )
    return Side(name, pages, frozenset(taken))


def _of_file(path):
    """Return {page: [Run]} of a file: of a page, or of pyperf's."""
    suite = stored.json_data(path)
    if plain.is_plain(suite):
        return plain.of(suite, path)
    return {path.stem: of(data.load(path))}


def _more():
    """Return in words how more is measured."""
    return (
        f"{IN_A_CLONE}scripts/run.py --repeat K measures more; elsewhere, "
        "pyperf timeit -o FILE does"
    )


def both(base, new, machine=None):
    """Return the two Sides that words of the command line name.

    Arguments as of `read`.  Raises UserError as it does, and where a run is
    on both sides: they would look alike.
    """
    was, now = (read(name, machine) for name in (base, new))
    if common := sorted(was.files & now.files):
        path, _ = common[0]
        raise UserError(
            f"{shown(path)}: the same runs are on both sides, {base} and "
            f"{new}; name different ones, such as FOLDER@1:4 and FOLDER@5:8"
        )
    return was, now


def _parted(name):
    """Return (path, first, last) of a name with or without ``@3:8``."""
    match = re.fullmatch(r"(.+)@([1-9]\d*):(\d+)", name)
    if match and not pathlib.Path(name).exists():
        return pathlib.Path(match[1]), int(match[2]), int(match[3])
    return pathlib.Path(name), 1, None


def files(name, machine=None):
    """Return the data files that a word names, of one machine and preset.

    name, machine  as of `read`, which raises what this does
    """
    place, *_ = _parted(name)
    if not place.exists() and (records.RECORDED / place).is_dir():
        place = records.RECORDED / place
    if not place.exists():
        raise UserError(
            f"{name}: no such folder, file or recorded machine; "
            f"recorded machines: {', '.join(records.machines())}"
        )
    if place.is_file():
        return [place]
    inner = place / "data"
    every = sorted((inner if inner.is_dir() else place).rglob("*.json"))
    every = [p for p in every if machine in (None, p.parent.name)]
    if not every:
        of_ = f" of machine {machine}" if machine else ""
        raise UserError(
            f"{name}: nothing was measured{of_} there; name a build folder, "
            f"a folder of data or a data file; {_more()}"
        )
    folders = sorted({path.parent for path in every})
    if len({folder.name for folder in folders}) > 1:
        names = sorted({folder.name for folder in folders})
        raise UserError(
            f"{name}: runs of several machines, {', '.join(names)}; name "
            "one with --machine"
        )
    if len(folders) > 1:
        raise UserError(
            f"{name}: runs of several presets; name one of "
            f"{', '.join(map(shown, folders))}"
        )
    return every
