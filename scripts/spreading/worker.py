"""What a worker of the cluster does: it starts a program for each page.

This module goes to the workers by its source, so it imports only what is
there: distributed, and the lab of the worker's own checkout.  A page runs
apart from the worker, whose heartbeat would disturb what is timed, and ends
with it, however that ends.
"""

from distributed import WorkerPlugin, get_worker

DAY = 24 * 3600  # seconds: a page has a limit of its own


def _program():
    """Return a Program that runs pages, from this checkout."""
    import os

    from onthefly.provenance import NOTEBOOKS, ROOT
    from onthefly.tools.processes import Program

    own = os.environ.get("PYTHONPATH", "")
    paths = [own, str(NOTEBOOKS), str(ROOT / "scripts")]
    found = os.pathsep.join(filter(None, paths))
    return Program(
        "spreading.child", environment={"PYTHONPATH": found}, reap=True
    )


def about():
    """Return what `spreading.child.about` says of the worker's machine.

    Where that fails, returns {"failed": why}.
    """
    from onthefly.tools.processes import ProcessError

    try:
        with _program() as program:
            return program.ask("about")
    except ProcessError as error:
        return {"failed": str(error)}


class Pages(WorkerPlugin):
    """The programs that run on a worker, by the task of each.

    One ends when its task is taken back: by Ctrl-C, or since the client has
    gone.
    """

    def setup(self, worker):
        """Start with none; called by distributed, as the other two."""
        self.programs = {}

    def transition(self, key, start, finish, **_):
        """End the program of a task that is taken back."""
        if finish == "released" and key in self.programs:
            self.programs[key].end()

    def teardown(self, worker):
        """End all programs."""
        for program in list(self.programs.values()):
            program.end()


def task():
    """Return `run` in a form that distributed sends by its source.

    A function that can be named is sent by its name in a graph of tasks.
    """
    return lambda name, page: run(name, page)


def run(name, page):
    """Run a page; return what `spreading.child.run` does.

    name  of the plugin Pages
    page  as of `spreading.child.run`

    Where that fails, returns {"failed": why}, and {"ended": how} where its
    process did.
    """
    from onthefly.tools.processes import Failed, ProcessError

    worker = get_worker()
    key = worker.get_current_task()
    programs = worker.plugins[name].programs
    try:
        with _program() as program:
            programs[key] = program
            try:
                if worker.state.tasks[key].state != "executing":
                    program.end()  # taken back before it was known here
                return program.ask("run", page, limit=DAY)
            finally:
                del programs[key]
    except Failed as error:
        return {"failed": error.text}
    except ProcessError as error:
        return {"ended": str(error)}
