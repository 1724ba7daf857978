"""The measurement in a process of its own, which is ended in every case."""

import sys
import time

from commandline.programs import program
from confirming import function, measure
from onthefly.refused import Refused
from onthefly.tools import processes

STAGES = {
    "cost": "its cost",
    "tasks": "calls as tasks of threads",
    "profiles": "its nogil fraction in threads",
    "compare": "its results in threads",
}


def measured(request, limit):
    """Return the Found of a Request.

    limit  seconds that the function's process may take, once it has started

    Raises Refused where the function is none, raises, crashes or takes
    longer.
    """
    if sys.stderr.isatty():
        print(
            f"measuring {request.target} for about {request.budget:g} s …",
            file=sys.stderr,
        )
    where = function.folders(request.target)
    with program(measure.__name__, folders=where) as child:
        child.ask("stage", "start", request)
        until = time.monotonic() + limit

        def ask(words, *stage):
            left = max(until - time.monotonic(), 0.0)
            try:
                return _answer(child, request, words, stage, left)
            except processes.Late:
                raise Refused(
                    f"{request.target}: not done after {limit:g} s, in "
                    f"{words}; repair: smaller --sizes, or a larger --limit"
                ) from None

        ask("its import", "find")
        for size in request.sizes:
            ask(f"size {size}", "screen", size)
        for name, words in STAGES.items():
            found = ask(words, name)
    return found


def _answer(child, request, words, stage, limit):
    """Return what a stage returns; raises Refused, or Late.

    words  what to call the stage
    stage  its name and arguments
    """
    try:
        found, refused = child.ask("stage", *stage, limit=limit)
    except processes.Ended as error:
        said = f": {error.words}" if error.words else ""
        hint = ", which may not be safe in threads"
        raise Refused(
            f"{request.target}: its process ended with {error.how} in "
            f"{words}{said}; repair: the function"
            f"{hint if 'threads' in words else ''}"
        ) from None
    if refused:
        raise Refused(refused)
    return found
