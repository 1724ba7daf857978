"""The output of several runs, brought together in one folder."""

import contextlib
import dataclasses
import datetime
import hashlib
import pathlib

from commandline import shown
from onthefly import files, results
from onthefly.provenance import pages, slug_of
from onthefly.refused import Refused
from reading import stamps
from running import before


@dataclasses.dataclass(frozen=True)
class Made:
    """A page that a run has finished.

    build  the run's folder; stamp: what `stamps.read` returns
    """

    build: pathlib.Path
    notebook: pathlib.Path
    stamp: dict

    @property
    def slug(self):
        """The page's name."""
        return self.stamp["chapter"]

    @property
    def started(self):
        """When its run began."""
        return datetime.datetime.fromisoformat(self.stamp["started"])

    def paths(self):
        """Return {place within a build: path} of its files, the stamp last.

        The page counts once its stamp is there.
        """
        measured = f"results/{self.stamp['machine']}/{self.slug}.json"
        found = [
            *(self.build / "figures" / self.slug).glob("*.svg"),
            self.notebook,
            self.build / measured,
            stamps.path_of(self.notebook),
        ]
        return {p.relative_to(self.build): p for p in found if p.exists()}


def check(part):
    """Raise Refused where a folder holds no run's output."""
    if not any((part / name).is_dir() for name in ("executed", "partial")):
        raise Refused(
            f"{shown(part)}: no output of a run there; name what run.py got "
            "as --build"
        )


def made(build):
    """Return {slug: Made} of the pages that runs have finished in a folder.

    Raises Refused for a stamp that is broken.
    """
    found = {}
    for notebook in pages(build / "executed"):
        path = stamps.path_of(notebook)
        stamp = stamps.read(path) if path.exists() else {"key": None}
        data = hashlib.sha256(notebook.read_bytes()).hexdigest()
        if stamp["key"] and stamp["notebook_sha256"] == data:
            found[stamp["chapter"]] = Made(build, notebook, stamp)
    return found


def merge(parts, build):
    """Copy the newest run of each page into a folder; yield lines.

    parts  folders of runs, each once; what lies in `build` counts, too

    Raises Refused, before anything is written, where results of two machines
    would lie under one name.
    """
    for part in parts:
        check(part)
    parts = [part for part in parts if part != build]
    with contextlib.ExitStack() as stack:
        for folder in (build, *parts):
            stack.enter_context(before.alone(folder))
        every = [page for part in parts for page in made(part).values()]
        newest = made(build)
        for page in every:
            other = newest.setdefault(page.slug, page)
            if page.started > other.started:
                newest[page.slug] = page
        new = [page for page in newest.values() if page.build != build]
        check_machines(new, build)
        for page in sorted(new, key=lambda page: page.notebook.name):
            for place, path in page.paths().items():
                files.write(build / place, path.read_bytes())
            machine, source = page.stamp["machine"], shown(page.build)
            yield f"{page.slug}: of {machine}, from {source}"


def check_machines(new, build):
    """Refuse results of two machines that would lie in one folder."""
    folders = {}
    for page in new:
        for place, path in page.paths().items():
            if place.parts[0] == "results":
                folders.setdefault(place.parent, {})[place.name] = path
    for place, found in folders.items():
        there = {p.name: p for p in (build / place).glob("*.json")}
        paths = sorted((there | found).values())
        first, identity = next(
            ((p, i) for p in paths if (i := results.measured_by(p))),
            (None, ""),
        )
        if other := results.strangers(paths, identity) if first else []:
            raise Refused(
                f"{shown(other[0])}: another machine than that of "
                f"{shown(first)} measured it under the same name, "
                f"{place.name}; repair: run each part with ONTHEFLY_MACHINE "
                "set, as book/cluster/slurm_array.sh does"
            )


def failed(parts, build):
    """Yield a line for each page that has failed, and is not in `build`."""
    done = made(build)
    for part in parts:
        for path in pages(part / "partial"):
            if slug_of(path) not in done:
                yield f"{slug_of(path)}: FAILED, see {shown(path)}"
