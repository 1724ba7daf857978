"""The measurement in a process of its own, which is ended in every case."""

import dataclasses
import sys
import time

from commandline.programs import program
from confirming import function, measure
from confirming.compiled import Compiled
from confirming.pooled import Pooled
from onthefly.refused import Refused
from onthefly.tools import processes

TRY = 30  # seconds beyond the budget, for what may fail
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
    alone = {n: q.value for n, q in found.seconds.items()}
    return dataclasses.replace(
        found,
        compiled=_aside(request, Compiled, "compiled", found.sizes),
        pooled=_aside(request, Pooled, "pooled", alone),
    )


def _aside(request, kind, *stage):
    """Return what a stage returns in a process of its own.

    The report stands without it: whatever ends that process, it is told.

    kind   what it returns, which tells why there is none, too
    stage  its name and arguments
    """
    where = function.folders(request.target)
    until = time.monotonic() + TRY + request.budget
    with program(measure.__name__, folders=where) as child:
        try:
            for question in [("start", request), ("find",), stage]:
                left = max(until - time.monotonic(), 0.0)
                found, refused = child.ask("stage", *question, limit=left)
                if refused:
                    return kind(refused)
        except processes.Late:
            return kind(f"not done after {TRY + request.budget:g} s")
        except processes.Ended as error:
            return kind(f"it ended its process with {error.how}")
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
