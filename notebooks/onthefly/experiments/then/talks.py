"""What listings of three talks print under the TensorFlow of then.

Sources: Monga, TensorFlow Research at Scale; Shin, The Flow of TensorFlow,
slides 22 to 32; Okuda, TFUG Tokyo 2018, slide 30, and PyCon JP 2018, slide
28.
"""

import contextlib

from onthefly.experiments.then import environments
from onthefly.tools.processes import Program

CHILD = "onthefly.experiments.then.talks_child"
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
# TensorFlow 1.4 had no eager execution yet.
VERSIONS = {"graph": ("1.4", "1.5", "1.9"), "eager": ("1.5", "1.9")}


def pythons():
    """Return {version: path of its interpreter} of TensorFlow."""
    return environments.made("tensorflow-")


def here(*versions):
    """Tell whether this machine has the versions; by default all of them."""
    return {*(versions or VERSIONS["graph"])} <= {*pythons()}


def started(version, mode, child=CHILD):
    """Return a Program of one version that is to say that it has started.

    mode   "graph" or "eager"
    child  the program's module
    """
    program = Program(child, python=pythons()[version], environment=QUIET)
    program.send("start", mode)
    return program


def asked(mode, *question, versions=None, child=CHILD):
    """Return {version: answer} of a question to programs in one mode."""
    with contextlib.ExitStack() as running:
        programs = {  # they import at once
            version: running.enter_context(started(version, mode, child))
            for version in versions or VERSIONS[mode]
        }
        for program in programs.values():
            program.receive()
            program.send(*question)
        return {v: program.receive() for v, program in programs.items()}


def printed(graph=(), eager=()):
    """Return {version: {listing: [lines that it prints, error or None]}}.

    graph, eager  names of talks_child.LISTINGS to be run in that mode

    An error is as talks_child.ran has it.
    """
    found = {}
    for mode, names in (("graph", graph), ("eager", eager)):
        if names:
            for version, its in asked(mode, "all_ran", names).items():
                found.setdefault(version, {}).update(its)
    return found


def draws(tries):
    """Return {mode: of how many matrices a loop's elements are, each try}.

    The four elements of a random matrix, one after the other: TensorFlow 1.4
    builds a graph, 1.5 is eager.
    """
    return {
        mode: asked(mode, "matrices", tries, versions=[version])[version]
        for mode, version in (("graph", "1.4"), ("eager", "1.5"))
    }


def entered(version, calls):
    """Return {mode: [times that Python enters a body, TensorFlow]}."""
    return {
        mode: asked(mode, "entered", calls, versions=[version])[version]
        for mode in VERSIONS
    }


def additions(version, counts):
    """Return nodes Add of so long loops of Python, and of a graph's loop."""
    told = "additions", counts
    return asked("graph", *told, versions=[version])[version]


def advantages(version):
    """Return {what eager execution was to bring: whether it comes out}."""
    child = f"{__package__}.advantages_child"
    found = asked("eager", "came_out", versions=[version], child=child)
    return found[version]


def lines(found, version, *names):
    """Return the lines that listings print under one version, or None.

    found  what `printed` returned, or None, where nothing was asked
    """
    if found is None:
        return None
    its = found[version]
    return [x for name in names if name in its for x in its[name][0]]


def text(found, version, *names):
    """Return the same as one text, lines between semicolons, or None."""
    said = lines(found, version, *names)
    return None if said is None else "; ".join(said)


def columns(found, today, *names):
    """Return {who: lines that they print}, of all versions and today's."""
    by = {f"TensorFlow {v}": lines(found, v, *names) for v in found or ()}
    return by | {"today": today}
