"""What is refused before anything runs."""

import contextlib
import resource
import tempfile

from commandline import shown
from onthefly.errors import CorruptFile, UserError, from_system
from onthefly.measure import data, machine
from onthefly.page import claims, results
from reading import stamps, toc

FEWEST, ENOUGH = 128, 1024  # open files: a page with its kernel and sockets


def open_files():
    """Let this process and its pages open as many files as they need.

    Raises UserError where the system does not allow that.
    """
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most < FEWEST:
        raise UserError(
            f"a page opens up to {FEWEST} files, and this shell allows "
            f"{most}; raise that (ulimit -Hn), or start from another shell"
        )
    wanted = ENOUGH if most == resource.RLIM_INFINITY else min(ENOUGH, most)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def check_files(jobs):
    """Raise UserError for a file that the chapters would stumble over.

    That is the ledger, and results which they add to or draw.
    """
    claims.load(jobs[0].sources.ledger)
    drawn = set()
    for job in jobs:
        if job.results.exists():
            with contextlib.suppress(CorruptFile):  # the run makes them anew
                results.load(job.results)
        if job.data.exists():
            with contextlib.suppress(CorruptFile):
                data.load(job.data)
        for slug in job.drawn:
            drawn.update(job.sources.held(slug))
    for path in sorted(drawn):
        {"data": data, "results": results}[path.parts[-3]].load(path)


def check_places(jobs):
    """Refuse a place that the chapters' files could not be written to.

    A chapter would find that out after it has run.
    """
    paths = [
        path
        for job in jobs
        for path in (
            job.results, job.data, job.executed,
            stamps.path_of(job.executed),
            job.partial, job.log,
        )
    ]  # fmt: skip
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            raise UserError(
                f"{shown(path)}: a folder lies where a file goes; move it "
                "away, or name another place with --build"
            )
    folders = [p.parent for p in (*paths, *(job.figures for job in jobs))]
    for folder in dict.fromkeys(folders):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(b"1")
        except OSError as error:
            raise from_system(error, shown(folder)) from None


def check_machine(jobs):
    """Refuse to measure beside what another machine of this name measured.

    The files that the jobs make anew do not count.
    """
    folder = jobs[0].data.parent
    stay = set(folder.glob("*.json")) - {job.data for job in jobs}
    for path in data.strangers(sorted(stay), machine.identity())[:1]:
        raise UserError(
            f"{shown(path)}: another machine of this name measured it; "
            f"repair: set ONTHEFLY_MACHINE={machine.unique_slug()} to keep "
            f"the two apart, or move {shown(folder)} away"
        )


def check_contents(notebooks):
    """Refuse a table of contents that names a page that is not there.

    notebooks  the folder of the chapters; the table lies beside it, if any

    The build would find that out when all has run.
    """
    if (notebooks.parent / toc.NAME).exists():
        toc.written(notebooks.parent)
