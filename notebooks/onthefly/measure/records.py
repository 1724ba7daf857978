"""Where measurements of the book's pages are kept: builds, and machines."""

import contextlib

from onthefly.errors import CorruptFile, UserError
from onthefly.folders import RECORDED, build_dir
from onthefly.measure import data, machine


def folder(preset):
    """Return where a build keeps what machines measured at a preset."""
    return build_dir() / "data" / preset


def path_of(page, preset, slug=None):
    """Return the file of this build's data of a page; of this machine."""
    return folder(preset) / (slug or machine.slug()) / f"{page}.json"


def kept(page, preset):
    """Return this machine's Data of a page in this build, or None.

    A file that is broken counts as none.
    """
    path = path_of(page, preset)
    try:
        return data.load(path) if path.exists() else None
    except CorruptFile:
        return None


def find(page, machine_name, preset, mode):
    """Return the Data that a run of a page was told.

    mode  as in `source`: a name that is no machine's stands for this build

    Raises UserError where it cannot be read.
    """
    name = mode if mode in machines() else ""
    path = path_of(page, preset, machine_name)
    return data.load(RECORDED / name / path.name if name else path)


def builds(page):
    """Return the Data of a page in this build, of each machine and preset.

    The newest comes first; a file that cannot be read counts as none.
    """
    every = []
    for path in build_dir().glob(f"data/*/*/{page}.json"):
        with contextlib.suppress(UserError):
            every.append(data.load(path))
    return sorted(every, key=lambda one: one.machine["time"], reverse=True)


def machines():
    """Return the names of the machines that are recorded, sorted."""
    return sorted(path.name for path in RECORDED.glob("*") if path.is_dir())


def machines_of(page):
    """Return the names of the machines that measured a page, sorted.

    Of the recorded ones, and of those of this build.
    """
    paths = [
        *RECORDED.glob(f"*/{page}.json"),
        *build_dir().glob(f"data/*/*/{page}.json"),
    ]
    return sorted({path.parent.name for path in paths})


def shown(page, name):
    """Return whose record of a page is shown where one machine's is asked.

    That machine's; where it has none of the page, the newest of another.
    """
    if (RECORDED / name / f"{page}.json").exists() or name not in machines():
        return name
    return next((one.machine["slug"] for one in recorded(page)), name)


def recorded(page, name=None):
    """Return the recorded Data of a page, the newest first.

    name  of a machine; by default of all
    """
    paths = RECORDED.glob(f"{name or '*'}/{page}.json")
    every = [data.load(path) for path in sorted(paths)]
    return sorted(every, key=lambda one: one.machine["time"], reverse=True)
