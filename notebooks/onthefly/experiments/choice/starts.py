"""What it takes until a library has done its first small thing.

Its import, and what it starts at its first use: a compiler, threads, worker
processes.  A problem's own first call comes on top.
"""

import contextlib
import functools

from onthefly.experiments.choice import starts_child
from onthefly.tools.processes import Failed, Program


def seconds(name):
    """Return the seconds of a library's start, in a new process.

    name  one of `starts_child.USES`, or a module that is imported alone

    Raises ImportError where it is missing.
    """
    with Program(starts_child.__name__) as program:
        try:
            return program.ask("started", name)
        except Failed as error:
            raise error.__cause__ or error from None


def samplers(names):
    """Return {name: function} of starts, for the stopwatch."""
    return {name: functools.partial(seconds, name) for name in names}


@functools.cache
def here(name):
    """Start a library in this process, where it is not missing.

    So what a problem's first call takes here is the problem's own.
    """
    with contextlib.suppress(ImportError):
        starts_child.started(name)
