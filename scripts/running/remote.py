"""What a worker of a cluster does, from its own checkout.

The notebook, and how it is to run, come from the client.  A kernel is a
process of its own, so that the worker's heartbeat disturbs nothing timed.
"""

import dataclasses
import functools
import os
import platform

import dask
import distributed

from commandline import ROOT
from onthefly.errors import UserError
from onthefly.folders import PACKAGE
from onthefly.measure import machine
from onthefly.terminal import scratch
from running import key, request
from running.display import Lines
from running.job import Job


class EndPage(distributed.WorkerPlugin):
    """Ends the page of a worker that closes, or whose task is cancelled."""

    name = "onthefly"
    idempotent = True  # to replace it would end what another client runs

    def setup(self, worker):
        """Load the engine, which takes seconds."""
        from running import engine

        self._end = engine.end_all

    def transition(self, key, start, finish, **_):
        """End a page that is released: `distributed` lets it run on."""
        if (start, finish) == ("executing", "released"):
            self._end()

    def teardown(self, worker):
        """End what runs."""
        self._end()


@functools.cache
def _prepare():
    """Give this process the environment of its pages; name its machine.

    Nodes of a cluster are alike, and so would be their names.
    """
    nanny = dask.config.get("distributed.nanny.pre-spawn-environ")
    for name, value in nanny.items():  # as one thread for BLAS
        if os.environ.get(name) == str(value):
            del os.environ[name]
    os.environ["ONTHEFLY_MACHINE"] = machine.unique_slug()
    return machine.slug()


def about(state):
    """Return this machine's name.

    state  key.Sources.everything() of the client

    Raises UserError where the checkout differs from the client's.
    """
    own = key.Sources(ROOT, PACKAGE).everything()
    if words := key.changes(state, own):
        where = f"the checkout on {platform.node()}"
        raise UserError(f"{where} differs in {', '.join(words)}")
    return _prepare()


def run(name, text, asked, state):
    """Run a page in a folder of its own; return what came of it.

    name, text  of the page, as "part/topic", and of its file
    asked       the client's Request
    state       as of `about`

    Returns a dict of the form that remote.schema.json says; raises as
    `about`.
    """
    from running import engine

    here = about(state)
    with scratch.folder() as folder:
        job = _job(name, text, asked, folder)
        row = Lines().start(job.name, job.chapter, None, here)
        seconds, failure = engine.run(job, row)
        return {
            "machine": here,
            "milliseconds": round(1000 * seconds),
            "failure": failure and vars(failure),
            "notebook": _text(job.partial if failure else job.executed),
            "data": "" if failure else _text(job.data),
            "results": "" if failure else _text(job.results),
            "log": _text(job.log),
        }


def _job(name, text, asked, folder):
    """Return the Job of a page whose files lie in a folder."""
    pages, build = folder / "notebooks", folder / "build"
    page = pages / f"{name}.ipynb"
    page.parent.mkdir(parents=True)
    build.mkdir()
    page.write_text(text, encoding="utf-8")
    if (old := ROOT / "_build" / "old_stack").is_dir():  # a page measures it
        (build / old.name).symlink_to(old)
    asked = dataclasses.replace(asked, notebooks=pages, build=build)
    return Job(request.read(page), asked, key.Sources(ROOT, PACKAGE))


def _text(path):
    if not path.exists():
        return ""
    return path.read_text(encoding="utf-8", errors="replace")
