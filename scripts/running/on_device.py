"""Which measurements of a page rest on a GPU, told from its cells.

They are those that the page makes by what the Chapter says of a GPU, as
``here = book.on_gpu("torch")``: directly, or through names that it binds.
"""

import ast
import functools

from onthefly.errors import UserError
from onthefly.measure import data, presets
from onthefly.page import dependencies

ASKS = "on_gpu"
# Seconds that a page takes on a GPU beside its measurements: it compiles, and
# starts processes (see presets.LIMIT).
COMPILES = 90


def measurements(cells):
    """Return {measurement: its libraries} of those that rest on a GPU.

    cells  of a notebook, in the form of the file; one that a run leaves out
           for want of a library counts, too

    The libraries are a frozenset of keys in the table of libraries; an empty
    one where the page does not name any.  What is the same on every machine,
    and what has no name before the run, is not among them.
    """
    code = [c["source"] for c in cells if c["cell_type"] == "code"]
    return _measurements(tuple(map("".join, code)))


@functools.cache
def _measurements(sources):
    every, found = [], {}
    if not any(ASKS in source for source in sources):
        return found
    for source in sources:
        for one in dependencies.statements(source):
            every.append(one)
            names = list(dependencies.names_in(one))
            if names and not dependencies.is_anywhere(one):
                asked = _asked(dependencies.made_from(every))
                if asked is not None:
                    found |= dict.fromkeys(names, asked)
    return found


def _asked(statements):
    """Return the libraries that statements ask a GPU for; None without any.

    That is a question without a library's name, too: an empty frozenset.
    """
    nodes = [part for one in statements for part in ast.walk(one.node)]
    if not any(_is_question(node) for node in nodes):
        return None
    return frozenset(
        argument.value
        for node in nodes
        if isinstance(node, ast.Call) and _is_question(node.func)
        for argument in node.args
        if isinstance(argument, ast.Constant)
    )


def _is_question(node):
    return (
        isinstance(node, ast.Attribute)
        and node.attr == ASKS
        and getattr(node.value, "id", "") == dependencies.BOOK
    )


def of_page(job):
    """Return `measurements` of a Job's page."""
    return measurements(job.chapter.cells)


def possible(job, seen):
    """Return the names of those measurements that a GPU here may give.

    seen  keys of the libraries that compute on it

    One statement may ask for several libraries, for different measurements:
    one of them is enough.
    """
    return {
        name
        for name, asked in of_page(job).items()
        if seen and (asked & seen or not asked)
    }


def lacking(job):
    """Return {measurement: its libraries} of what is not kept of a page."""
    kept = _kept(job)
    return {k: asked for k, asked in of_page(job).items() if k not in kept}


def _kept(job):
    """Return the names of all that this machine has measured of a page."""
    try:
        own = data.load(job.data)
    except UserError:  # there is none, or it is broken and made anew
        return set()
    return own.groups.keys() | own.looks.keys()


def is_done(job, seen):
    """Tell whether the last run of a page has measured all that it can here.

    What is recorded may be other than then: this run's own may be.

    seen  as of `possible`
    """
    changed = {words.partition(" ")[0] for words in job.reasons}
    return changed <= {"recorded"} and not _sees_more(job, seen)


def _sees_more(job, seen):
    """Tell whether libraries see the GPU by which nothing was measured.

    They did not see it, then.  Where they measured something, the rest is
    impossible for another reason.
    """
    wanted, lacks = of_page(job), lacking(job)
    having = {asked for name, asked in wanted.items() if name not in lacks}
    return any(
        asked and asked <= seen and asked not in having
        for asked in lacks.values()
    )


def seconds(job, known, seen):
    """Return how long a page is expected to take on a GPU.

    known  seconds that it takes without one, as a Forecast says; None for a
           page of which nothing is known
    seen   as of `possible`

    Its own last run counts first.  What is recorded may be a processor's:
    then each measurement on the GPU takes about the preset's time for one.
    """
    if job.last_seconds:
        return job.last_seconds
    new = lacking(job).keys() & possible(job, seen)
    more = COMPILES + len(new) * presets.BUDGET[job.request.preset]
    return (known or 0) + (more if new else 0)
