"""Run one chapter with papermill, and say where it stands and why it fails.

Imported when a chapter runs and not before: papermill takes seconds to load.
"""

import contextlib
import dataclasses
import datetime
import logging
import os
import re
import signal
import sys
import time

from nbclient.exceptions import CellTimeoutError, DeadKernelError
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import Engine, papermill_engines
from papermill.exceptions import PapermillExecutionError
from papermill.execute import execute_notebook, remove_error_markers
from papermill.iorw import LocalHandler, papermill_io, write_ipynb
from papermill.log import logger

from commandline import shown
from onthefly import files
from onthefly.refused import of_system

# Their complaints about a dead or late kernel come before ours, less clear.
for noisy in ("papermill", "traitlets", "asyncio"):
    logging.getLogger(noisy).setLevel(logging.CRITICAL)


@dataclasses.dataclass(frozen=True)
class Failure:
    """Where a chapter failed: cell (from 1), its first line, and why."""

    number: int
    line: str
    reason: str


def headline(source, width=56):
    """Return the first line of a cell that says something, cut to width."""
    lines = [line.strip() for line in source.splitlines() if line.strip()]
    line = re.sub(r"\s+", " ", lines[0]) if lines else ""
    return line if len(line) <= width else line[: width - 1] + "…"


class Watch:
    """One run of a chapter: its clock, its cell, its kernel.

    display  has a method cell(number, line), called as each cell starts
    """

    def __init__(self, job, display):
        self.job = job
        self.display = display
        self.started = time.monotonic()
        self.number, self.line, self.error = 0, "", ""
        self.notebook = self.kernel = None

    def seconds(self):
        """Return the time since the start, in seconds."""
        return time.monotonic() - self.started

    def left(self, cell=None):
        """Return the seconds that the chapter, so any cell, has left."""
        return max(0.1, self.job.request.limit - self.seconds())

    def cell_starts(self, cell, cell_index):
        """Keep and show which cell runs (a hook of nbclient)."""
        if "injected-parameters" in cell.metadata.get("tags", []):
            return  # papermill's own: no cell of the chapter as written
        self.number += 1
        self.line = headline(cell.source)
        if cell.cell_type == "code":
            self.display.cell(self.number, self.line)

    def cell_fails(self, cell, cell_index, execute_reply):
        """Keep the error that a cell raised (a hook of nbclient)."""
        error = execute_reply["content"]
        text = f"{error.get('ename')}: {error.get('evalue')}"
        self.error = headline(text, 200)

    def failed(self):
        """Tell whether a cell raised what its tags do not allow."""
        return bool(self.notebook.metadata.papermill.get("exception"))


class ChapterEngine(Engine):
    """papermill's engine, with a clock on the chapter and a kept kernel."""

    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, *, watch, **_):
        """Execute the cells; called by papermill with our keyword."""
        watch.notebook = nb_man.nb
        client = PapermillNotebookClient(
            nb_man,
            kernel_name=kernel_name,
            log=logger,
            timeout_func=watch.left,
            on_cell_start=watch.cell_starts,
            on_cell_error=watch.cell_fails,
        )
        manager = client.km = client.create_kernel_manager()
        # A "python3" kernel of the user's own may be another interpreter.
        manager.kernel_spec.argv[0] = sys.executable
        folders = {
            "ONTHEFLY_BUILD": str(watch.job.request.build),
            "ONTHEFLY_RESULTS": str(watch.job.request.results),
        }
        with open(watch.job.log, "wb") as log:
            try:
                client.execute(
                    stdout=log, stderr=log, env={**os.environ, **folders}
                )
            finally:
                watch.kernel = getattr(manager.provisioner, "process", None)
                _end_group(getattr(manager.provisioner, "pgid", None))


papermill_engines.register("onthefly", ChapterEngine)


class WholeFiles(LocalHandler):
    """papermill's files, which are written whole or not at all."""

    def write(self, buf, path):
        """Write a notebook's text; called by papermill."""
        files.write(path, buf)


papermill_io.register("/", WholeFiles())  # for every absolute path


def _end_group(group):
    """End what a kernel left behind: workers would disturb what follows.

    With SIGTERM, which multiprocessing's resource tracker outlives, so that
    it can still free what the workers shared.
    """
    if group:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGTERM)


def _death(kernel):
    """Return how the kernel's process ended."""
    code = kernel.poll() if kernel else None
    if code is None or code >= 0:
        return "the kernel died" + (f" with exit code {code}" if code else "")
    name = signal.Signals(-code).name
    return f"the kernel died of signal {-code} ({name})"


def _execute(watch):
    """Run the notebook into `partial`; return why it failed, or ""."""
    job, limit = watch.job, watch.job.request.limit
    try:
        execute_notebook(
            job.chapter.path,
            job.partial,
            parameters=job.chapter.changed(job.parameters),
            engine_name="onthefly",
            kernel_name="python3",
            progress_bar=False,
            autosave_cell_every=0,  # no writing while a cell is timed
            cwd=job.chapter.path.parent,
            watch=watch,
        )
    except PapermillExecutionError:
        if not watch.failed():
            # A cell tagged raises-exception did: papermill marks it all the
            # same, though it ran the cells after it.
            write_ipynb(
                remove_error_markers(watch.notebook), str(job.partial)
            )
    except DeadKernelError:
        return f"{_death(watch.kernel)} (see {shown(job.log)})"
    except Exception as error:  # the chapters after this one still run
        if isinstance(error, CellTimeoutError) and watch.seconds() >= limit:
            return f"passed the time limit of {limit:g} s"
        if isinstance(error, OSError) and error.errno:  # a late cell has none
            return _told(error, job)
        return headline(f"{type(error).__name__}: {error}", 200)
    # papermill lets sys.exit() pass; here it would end a chapter half-way.
    return watch.error if watch.failed() else ""


def _told(error, job):
    """Return the line of an OSError, whose place may be unknown."""
    place = error.filename2 or error.filename or job.partial
    return str(of_system(error, shown(place)))


def run(job, display):
    """Run a chapter; return (seconds, Failure or None).

    The notebook runs in `partial` and stays there after a failure.  A good
    one moves to `executed`, and its stamp is written last: what has no
    stamp of its own is not finished.
    """
    watch = Watch(job, display)
    try:
        reason = _run(watch)
    except OSError as error:  # a full disk, a folder without permission
        reason = _told(error, job)
    failure = Failure(watch.number, watch.line, reason) if reason else None
    return watch.seconds(), failure


def _run(watch):
    """Run the chapter and keep what it made; return why not, or ""."""
    job = watch.job
    for path in (job.partial, job.executed):
        path.parent.mkdir(parents=True, exist_ok=True)
    job.partial.unlink(missing_ok=True)
    for line in job.set_aside():
        watch.display.note(line)
    if not job.changes:
        job.withdraw()
    now = datetime.datetime.now(datetime.UTC).isoformat("T", "seconds")
    if reason := _execute(watch):
        return reason
    seconds = watch.seconds()
    os.replace(job.partial, job.executed)
    job.log.unlink()
    job.finish(now, seconds)
    return ""
