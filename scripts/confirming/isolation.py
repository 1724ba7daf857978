"""The measurement in processes of its own, which end in every case."""

import dataclasses
import sys
import time

from commandline.programs import program
from confirming import calls, stages
from confirming.numba_trial import NumbaTrial
from confirming.pool_trials import PoolTrial
from onthefly.errors import UserError
from onthefly.tools import processes

TRY = 30  # seconds beyond the budget, for what may fail
STAGES = {
    "cost": "its cost",
    "threads": "calls as tasks of threads",
    "fractions": "its nogil fraction in threads",
    "compare": "its results in threads",
}


def measured(request, limit):
    """Return the Measurement of a Request.

    limit  seconds that the function's process may take, once it has started

    Raises UserError where the function is none, raises, crashes or takes
    longer.
    """
    if sys.stderr.isatty():
        print(
            f"measuring {request.target} for about {request.budget:g} s …",
            file=sys.stderr,
        )
    with _program(request) as child:
        child.ask("stage", "start", request)
        until = time.monotonic() + limit

        def ask(place, *stage):
            left = max(until - time.monotonic(), 0.0)
            try:
                return _answer(child, request, place, stage, left)
            except processes.Late:
                raise UserError(
                    f"{request.target}: not done after {limit:g} s, in "
                    f"{place}; repair: smaller --sizes, or a larger --limit"
                ) from None

        ask("its import", "find")
        for size in request.sizes:
            ask(f"size {size}", "screen", size)
        for name, place in STAGES.items():
            measurement = ask(place, name)
    sizes = measurement.sizes
    alone = {n: measurement.seconds[n].value for n in sizes}
    return dataclasses.replace(
        measurement,
        numba=_trial(request, NumbaTrial, "numba", sizes),
        processes=_trial(request, PoolTrial, "processes", alone),
    )


def _program(request):
    folders = calls.folders(request.target)
    return program(stages.__name__, folders=folders)


def _trial(request, kind, *stage):
    """Return what a stage returns in a process of its own.

    The report stands without it: whatever ends that process, it is told.

    kind   of trial that it returns, which tells why there is none, too
    stage  its name and arguments
    """
    until = time.monotonic() + TRY + request.budget
    with _program(request) as child:
        try:
            for question in [("start", request), ("find",), stage]:
                left = max(until - time.monotonic(), 0.0)
                trial, refused = child.ask("stage", *question, limit=left)
                if refused:
                    return kind(refused)
        except processes.Late:
            return kind(f"not done after {TRY + request.budget:g} s")
        except processes.Ended as error:
            return kind(f"it ended its process with {error.how}")
    return trial


def _answer(child, request, place, stage, limit):
    """Return what a stage returns; raises UserError, or Late.

    place  what to call the stage
    stage  its name and arguments
    """
    try:
        result, refused = child.ask("stage", *stage, limit=limit)
    except processes.Ended as error:
        last = f": {error.words}" if error.words else ""
        hint = ", which may not be safe in threads"
        raise UserError(
            f"{request.target}: its process ended with {error.how} in "
            f"{place}{last}; repair: the function"
            f"{hint if 'threads' in place else ''}"
        ) from None
    if refused:
        raise UserError(refused)
    return result
