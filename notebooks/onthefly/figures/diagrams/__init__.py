"""Diagrams of mechanisms: what happens over time, or lies where in memory.

A page shows one by ``{eval}`diagram("gil")` ``.  Each is a function without
arguments that returns a Canvas; its docstring is the caption, and what stands
for the picture to those who cannot see it.  None has a number that a machine
produced.
"""

import inspect

from onthefly.errors import UserError
from onthefly.figures.diagrams import (
    calls,
    devices,
    measuring,
    memory,
    processes,
    threads,
)
from onthefly.figures.diagrams.canvas import as_html

DRAWINGS = {
    draw.__name__: draw
    for draw in (
        calls.call_into_c,
        calls.compile_once,
        calls.eager_and_graph,
        devices.device_queue,
        devices.grid,
        measuring.rounds,
        memory.boxed_list,
        memory.cache_lines,
        memory.copy_on_write,
        memory.temporaries,
        processes.fork_and_pickle,
        processes.task_overhead,
        threads.gil,
        threads.lost_update,
        threads.oversubscription,
        threads.prange,
    )
}


def caption(name):
    """Return what a diagram shows, in a line."""
    return " ".join(inspect.getdoc(drawing(name)).split())


def drawing(name):
    """Return the function that draws a diagram.

    Raises UserError for a name that none has.
    """
    if name not in DRAWINGS:
        raise UserError(
            f"diagram {name!r}: there is none; repair: name one of "
            f"{', '.join(sorted(DRAWINGS))}"
        )
    return DRAWINGS[name]


def diagram(name):
    """Return a diagram as the HTML of a figure.

    Raises UserError for a name that none has.
    """
    return as_html(drawing(name)(), caption(name))
