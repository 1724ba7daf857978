"""A page on a worker's machine: a program of its own, beside the worker.

The worker starts it from its own checkout (see `cluster.task`), so that the
worker's heartbeat disturbs nothing that is timed; the notebook, and how it
is to run, come from the client.
"""

import os

from commandline import ROOT, scratch
from onthefly import machine
from onthefly.provenance import LAB
from running import key, request
from running.job import Job


def about(state):
    """Return {"machine": its name, "differs": words, "" where it does not}.

    state  key.Sources.everything() of the client
    """
    own = key.Sources(ROOT, LAB).everything()
    words = key.changes({part: state.get(part) for part in own}, own)
    return {"machine": machine.unique_slug(), "differs": ", ".join(words)}


class _Silent:
    """The row of a display that nobody sees."""

    def cell(self, number, line):
        """Show nothing."""

    def note(self, text):
        """Show nothing."""


def run(page):
    """Run a page in a folder of its own; return what came of it.

    page  a dict: the notebook's `name` and `text`, the fields `preset`,
          `device`, `limit` and `parameters` of a Request, and the client's
          `state`

    Returns a dict of the form that answers.schema.json says.  Raises
    ValueError where the checkout differs from the client's.
    """
    from running import engine  # loads papermill, for seconds

    if words := about(page["state"])["differs"]:
        raise ValueError(f"its checkout differs in {words}")
    os.environ["ONTHEFLY_MACHINE"] = machine.unique_slug()
    # Of the commands no kernel imports anything.
    own = os.environ["PYTHONPATH"].split(os.pathsep)
    paths = [path for path in own if path != str(ROOT / "scripts")]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    with scratch.folder() as folder:
        job = _job(page, folder)
        seconds, failure = engine.run(job, _Silent())
        return {
            "machine": machine.slug(),
            "seconds": seconds,
            "failure": failure and vars(failure),
            "notebook": _text(job.partial if failure else job.executed),
            "results": "" if failure else _text(job.results),
            "log": _text(job.log),
        }


def _job(page, folder):
    """Return the Job of a page whose files lie in a folder."""
    path = folder / "notebooks" / page["name"]
    path.parent.mkdir()
    path.write_text(page["text"], encoding="utf-8")
    build = folder / "build"
    build.mkdir()
    if (old := ROOT / "_build" / "old_stack").is_dir():  # a page measures it
        (build / old.name).symlink_to(old)
    asked = request.Request(
        page["preset"], page["device"], page["limit"], path.parent, build,
        page["parameters"],
    )  # fmt: skip
    return Job(request.read(path), asked, key.Sources(ROOT, asked.lab))


def _text(path):
    if not path.exists():
        return ""
    return path.read_text(encoding="utf-8", errors="replace")
