"""What listings of three talks print under the TensorFlow of then.

Sources: Monga, TensorFlow Research at Scale; Shin, The Flow of TensorFlow,
slides 22 to 32; Okuda, TFUG Tokyo 2018, slide 30, and PyCon JP 2018, slide
28.
"""

from onthefly.experiments.then import programs

CHILD = f"{__package__}.talks_child"
# TensorFlow 1.4 had no eager execution yet.
VERSIONS = {"graph": ("1.4", "1.5", "1.9"), "eager": ("1.5", "1.9")}


def here(*versions):
    """Tell whether this machine has the versions; by default all of them."""
    return programs.here(*(versions or VERSIONS["graph"]))


def asked(pairs, *question, child=CHILD):
    """Return [answer] of a process of each (version, mode) to a question.

    child  full name of their module
    """
    with programs.started(child, pairs) as running:
        for program in running:
            program.send(*question)
        return [program.receive() for program in running]


def printed(graph=(), eager=(), versions=VERSIONS):
    """Return {version: {listing: [lines that it prints, error or None]}}.

    graph, eager  names of talks_child.LISTINGS to be run in that mode
    versions      {mode: those that run them}

    An error is as talks_child.ran has it.
    """
    names = {"graph": graph, "eager": eager}
    pairs = [(v, mode) for mode in names if names[mode]
             for v in versions[mode]]  # fmt: skip
    with programs.started(CHILD, pairs) as running:
        for program, (_, mode) in zip(running, pairs, strict=True):
            program.send("all_ran", names[mode])
        found = {}
        for program, (version, _) in zip(running, pairs, strict=True):
            found.setdefault(version, {}).update(program.receive())
        return found


def draws(tries):
    """Return {mode: of how many matrices a loop's elements are, each try}.

    The four elements of a random matrix, one after the other: TensorFlow 1.4
    builds a graph, 1.5 is eager.
    """
    pairs = [("1.4", "graph"), ("1.5", "eager")]
    found = asked(pairs, "matrices", tries)
    return {mode: one for (_, mode), one in zip(pairs, found, strict=True)}


def entered(version, calls):
    """Return {mode: [times that Python enters a body, TensorFlow]}."""
    found = asked([(version, mode) for mode in VERSIONS], "entered", calls)
    return dict(zip(VERSIONS, found, strict=True))


def additions(version, counts):
    """Return nodes Add of so long loops of Python, and of a graph's loop."""
    (found,) = asked([(version, "graph")], "additions", counts)
    return found


def advantages(version):
    """Return {what eager execution was to bring: whether it comes out}."""
    pairs = [(version, "eager")]
    (found,) = asked(
        pairs, "came_out", child=f"{__package__}.advantages_child"
    )
    return found


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
