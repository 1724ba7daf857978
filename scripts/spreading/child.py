"""One page on a machine of a cluster: a program of its own (see `Program`).

Its worker starts it from the worker's checkout; the notebook, and how it is
to run, come from the client.
"""

import contextlib
import fcntl
import os
import pathlib
import platform
import tempfile

from commandline import ROOT, scratch, shown
from onthefly import machine
from onthefly.provenance import LAB, NOTEBOOKS
from running import request
from running.job import Job
from running.key import Sources
from spreading import facts


def about():
    """Return what the client must know of this machine.

    A dict: `facts`, to compare; `name` of the machine; and `machine`, the
    same for all workers that share its processors.
    """
    return {
        "facts": facts.of(Sources(ROOT, LAB)),
        "name": machine.unique_slug(),
        "machine": machine.boot() or platform.node(),
    }


@contextlib.contextmanager
def _alone():
    """Wait until no other page runs here, of whichever client.

    The system drops the lock with the process, however that ends.
    """
    path = pathlib.Path(tempfile.gettempdir(), f"onthefly-{os.getuid()}.page")
    with open(path, "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


class _Silent:
    """The display of a run that nobody sees."""

    def cell(self, number, line):
        """Show nothing."""

    def note(self, text):
        """Show nothing."""


def run(page):
    """Run a page in a folder of its own; return what came of it.

    page  a dict: the notebook's `name` and `text`, and the fields `preset`,
          `device`, `limit` and `parameters` of a Request

    Returns a dict: `machine`, `seconds`, `failure` (its fields, or None),
    `build` (the folder, as texts name it) and {name: bytes} of the files:
    "executed", "stamp" and "results" of a page that came to its end, else
    "partial" and "log"; `figures` are {file name: bytes}.
    """
    from running import engine  # loads papermill, for seconds

    os.environ["ONTHEFLY_MACHINE"] = machine.unique_slug()
    os.environ["PYTHONPATH"] = _for_kernels()
    with _alone(), scratch.folder() as folder:
        job = _job(page, folder)
        seconds, failure = engine.run(job, _Silent())
        return {
            "machine": machine.slug(),
            "seconds": seconds,
            "failure": failure and vars(failure),
            "build": shown(job.request.build),
            "figures": _figures(job),
            **_files(job, failed=bool(failure)),
        }


def _for_kernels():
    """Return PYTHONPATH without the commands, which no kernel imports."""
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    scripts = str(ROOT / "scripts")
    return os.pathsep.join(p for p in paths if p and p != scripts) or str(
        NOTEBOOKS
    )


def _job(page, folder):
    """Return the Job of a page whose files lie in a folder."""
    path = folder / "notebooks" / page["name"]
    path.parent.mkdir()
    path.write_bytes(page["text"])
    build = folder / "build"
    build.mkdir()
    if (old := ROOT / "_build" / "old_stack").is_dir():  # a page measures it
        (build / old.name).symlink_to(old)
    asked = request.Request(
        page["preset"], page["device"], page["limit"], path.parent, build,
        page["parameters"],
    )  # fmt: skip
    return Job(request.read(path), asked, Sources(ROOT, asked.lab))


def _files(job, failed):
    """Return {name: bytes} of the files that a run has left."""
    paths = {
        "executed": job.executed,
        "stamp": job.executed.with_suffix(".json"),
        "results": job.results,
    }
    if failed:
        paths = {"partial": job.partial, "log": job.log}
    return {k: p.read_bytes() for k, p in paths.items() if p.exists()}


def _figures(job):
    folder = job.request.build / "figures" / job.chapter.slug
    return {p.name: p.read_bytes() for p in sorted(folder.glob("*.svg"))}
