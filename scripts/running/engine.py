"""Run one chapter with papermill, and say where it stands and why it fails.

Imported when a chapter runs and not before: papermill takes seconds to load.
"""

import contextlib
import datetime
import logging
import math
import os
import pathlib
import re
import tempfile
import time

from nbclient.exceptions import CellTimeoutError, DeadKernelError
from papermill.engines import papermill_engines
from papermill.exceptions import PapermillExecutionError
from papermill.execute import execute_notebook, remove_error_markers
from papermill.iorw import LocalHandler, papermill_io, write_ipynb
from papermill.log import logger

from commandline import shown
from onthefly import files
from onthefly.errors import from_system
from onthefly.page import engine
from running.kernel import Kernel, environment
from running.summary import Failure

START = 60  # seconds that a kernel may take to start, if the limit allows
SAVE = 10  # seconds between two copies of a notebook that runs
# An argument of a kernel that measures nothing: it looks for garbage less
# often, and TensorFlow's import takes a fifth less.
TELLING = (
    '--InteractiveShellApp.exec_lines=__import__("gc").set_threshold(100_000)'
)

_running = set()  # kernels

# Their complaints about a dead or late kernel come before ours, less clear.
for noisy in ("papermill", "traitlets", "asyncio"):
    logging.getLogger(noisy).setLevel(logging.CRITICAL)


def headline(source, width=56):
    """Return the first line of a cell that says something, cut to width."""
    lines = [line.strip() for line in source.splitlines() if line.strip()]
    line = re.sub(r"\s+", " ", lines[0]) if lines else ""
    return line if len(line) <= width else line[: width - 1] + "…"


def _injected(cell):
    """Tell whether a cell is papermill's own, none of the chapter's."""
    return "injected-parameters" in cell.metadata.get("tags", [])


class Watch:
    """One run of a chapter: its clock, its cell, its kernel.

    row  of the display: its method cell(number, line) is called as each cell
         starts
    """

    def __init__(self, job, row):
        self.job = job
        self.row = row
        self.started = self.saved = time.monotonic()
        self.number, self.line, self.error = 0, "", ""
        self.notebook = self.kernel = None
        self.start_limit, self.ready = START, False

    def seconds(self):
        """Return the time since the start, in seconds."""
        return time.monotonic() - self.started

    def left(self, cell=None):
        """Return the seconds that the chapter, so any cell, has left."""
        return max(0.1, self.job.request.limit - self.seconds())

    def kernel_starts(self):
        """Return the whole seconds that the kernel has to start."""
        self.start_limit = math.ceil(min(START, self.left()))
        return self.start_limit

    def kernel_answers(self, notebook):
        """Keep that the kernel has started (a hook of nbclient)."""
        self.ready = True

    def cell_starts(self, cell, cell_index):
        """Keep and show which cell runs (a hook of nbclient)."""
        if _injected(cell):
            cell.metadata.tags.append("remove-cell")  # the page says it
            return
        self.number += 1
        self.line = headline(cell.source)
        if cell.cell_type == "code":
            self.row.cell(self.number, self.line)
            if time.monotonic() > self.saved + SAVE:
                self.save()

    def cell_fails(self, cell, cell_index, execute_reply):
        """Keep the error that a cell raised (a hook of nbclient)."""
        error = execute_reply["content"]
        text = f"{error.get('ename')}: {error.get('evalue')}"
        self.error = headline(text, 200)

    def prose_fails(self, error):
        """Keep the place of an Unanswered expression; return its text."""
        own = [c for c in self.notebook.cells if not _injected(c)]
        place = next(n for n, c in enumerate(own, 1) if c is error.cell)
        self.number, self.line = place, headline(error.cell.source)
        return headline(str(error), 200)

    def save(self):
        """Write the notebook, as far as it has run.

        Seldom, and never while a cell is timed: with all its figures that
        takes as long as some cells do.
        """
        if self.notebook:
            write_ipynb(self.notebook, str(self.job.partial))
        self.saved = time.monotonic()

    def failed(self):
        """Tell whether a cell raised what its tags do not allow."""
        return bool(self.notebook.metadata.papermill.get("exception"))


class ChapterEngine(engine.Engine):
    """The lab's engine, with a clock on the chapter and our own kernel."""

    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, *, watch, **_):
        """Execute the cells; called by papermill with our keyword."""
        watch.notebook = nb_man.nb
        request = watch.job.request
        with (
            open(watch.job.log, "xb") as log,
            tempfile.TemporaryDirectory(
                prefix="kernel-", ignore_cleanup_errors=True
            ) as name,
        ):
            folder = pathlib.Path(name)
            watch.kernel = Kernel(folder)
            _running.add(watch.kernel)
            client = engine.Client(
                nb_man,
                km=watch.kernel,
                kernel_name=kernel_name,
                log=logger,
                extra_arguments=[] if watch.job.measures else [TELLING],
                startup_timeout=watch.kernel_starts(),
                timeout_func=watch.left,
                on_notebook_start=watch.kernel_answers,
                on_cell_start=watch.cell_starts,
                on_cell_error=watch.cell_fails,
            )
            try:
                client.execute(
                    cleanup_kc=True,
                    stdout=log,
                    stderr=log,
                    env=environment(
                        folder,
                        request.build,
                        request.results,
                        request.lab,
                        watch.job.measures,
                        request.again,
                    ),
                )
            finally:
                _running.discard(watch.kernel)
                watch.kernel.end()
            if client.why:
                watch.error += f": {client.why}"


papermill_engines.register("chapter", ChapterEngine)


def end_all():
    """End the kernels of all chapters that run, which so fail."""
    for kernel in list(_running):
        kernel.end()


class WholeFiles(LocalHandler):
    """papermill's files, which are written whole or not at all."""

    def write(self, buf, path):
        """Write a notebook's text; called by papermill."""
        files.write(path, buf)


papermill_io.register("/", WholeFiles())  # for every absolute path


def _reason(error, watch):
    """Return why the notebook did not run to its end."""
    if isinstance(error, engine.Unanswered):
        return watch.prose_fails(error)
    job, kernel, seconds = watch.job, watch.kernel, watch.seconds()
    dead = kernel and not watch.ready and kernel.status is not None
    if dead or isinstance(error, DeadKernelError):
        return kernel.death
    if not watch.ready and seconds >= watch.start_limit:
        return f"the kernel did not start within {watch.start_limit} s"
    limit = job.request.limit
    if isinstance(error, CellTimeoutError) and seconds >= limit:
        return f"passed the time limit of {limit:g} s"
    if isinstance(error, OSError) and error.errno:  # a late cell has none
        return _of_system(error, job)
    return headline(f"{type(error).__name__}: {error}", 200)


def _execute(watch):
    """Run the notebook into `partial`; return why it failed, or ""."""
    job = watch.job
    try:
        execute_notebook(
            job.chapter.path,
            job.partial,
            parameters=job.chapter.changed(job.parameters),
            engine_name="chapter",
            kernel_name="python3",
            progress_bar=False,
            request_save_on_cell_execute=False,  # Watch.save does
            autosave_cell_every=0,
            cwd=job.request.notebooks,  # where the lab lies, if beside
            watch=watch,
        )
    except PapermillExecutionError:
        if not watch.failed():
            # A cell tagged raises-exception did: papermill marks it all the
            # same, though it ran the cells after it.
            watch.notebook = remove_error_markers(watch.notebook)
            watch.save()
    except Exception as error:  # the chapters after this one still run
        watch.save()
        return _reason(error, watch)
    except KeyboardInterrupt:
        with contextlib.suppress(OSError):
            watch.save()
        raise
    # papermill lets sys.exit() pass; here it would end a chapter half-way.
    return watch.error if watch.failed() else ""


def _of_system(error, job):
    """Return the line of an OSError, whose place may be unknown."""
    place = error.filename2 or error.filename or job.partial
    return str(from_system(error, shown(place)))


def run(job, row):
    """Run a chapter; return (seconds, Failure or None).

    row  of the display, as `display.start` returns it

    The notebook runs in `partial` and stays there after a failure.  A good
    one moves to `executed`, and its stamp is written last: what has no
    stamp of its own is not finished.
    """
    watch = Watch(job, row)
    try:
        reason = _run(watch)
    except OSError as error:  # a full disk, a folder without permission
        reason = _of_system(error, job)
    failure = Failure(watch.number, watch.line, reason) if reason else None
    return watch.seconds(), failure


def _run(watch):
    """Run the chapter and keep what it made; return why not, or ""."""
    job = watch.job
    for line in job.begin():
        watch.row.note(line)
    now = datetime.datetime.now(datetime.UTC).isoformat("T", "seconds")
    if reason := _execute(watch):
        return reason
    seconds = watch.seconds()
    job.executed.parent.mkdir(parents=True, exist_ok=True)
    os.replace(job.partial, job.executed)
    job.log.unlink()
    job.finish(now, seconds)
    return ""
