"""What is said of a choice in words: names, numbers, and their limits."""

from onthefly.kernels.methods import KINDS
from onthefly.kernels.sizes import SIZES
from onthefly.measure import presets
from onthefly.predict.prediction import (
    CORES,
    FARTHEST,
    FIRST,
    IMPORTS,
    LARGER,
    REACH,
)
from onthefly.terminal.words import counted, listed

DATA = {
    "own": "in the form that each method takes",
    "arrays": "in NumPy's arrays",
    "lists": "in lists",
}
MOST = {"size": 10**15, "calls": 10**15, "cores": 4096}  # that may be asked
FEW = 3  # names, of those that are left open
# What takes a compiler and a build; C's is counted in its first call.
BUILT = frozenset(name for name, kind in KINDS.items() if kind.ahead) | {"C"}
# {kind of part: what it is called where nothing tested it}
UNTESTED = {
    IMPORTS: "imports (too few were measured)",
    FIRST: "first calls (each was measured once)",
    LARGER: "a size so far beyond those that were measured",
    CORES: "a number of cores that was not measured",
}
EXTRAPOLATED = "*"  # marks a gain over a loop that was not measured there


def wanted(name):
    """Return what a number has to be, one of MOST, as a phrase."""
    return f"a whole number from 1 to {MOST[name]:g}, as 1000 or 1e3"


def again(preset):
    """Say what would resolve more than a run at this preset."""
    finer = dict(zip(presets.NAMES, presets.NAMES[1:-1], strict=False))
    if preset not in finer:  # "talk" is no finer than "L"
        return "the finest preset leaves it open"
    return f"run at {finer[preset]}"


def measures(preset, n):
    """Say what would measure a size that a run at this preset does not.

    A size counts as far as a prediction reaches.
    """
    own = presets.nearest(preset, SIZES)[-1]
    for name, sizes in SIZES.items():
        if sizes[-1] > own and n <= REACH * sizes[-1]:
            return f"run at {name}"
    return "no preset measures it"


def name(choices, variant):
    """Return what a variant is called: a library's routine by its name."""
    routine = variant == "routine"
    return choices.problem.routine if routine else spoken(variant)


def spoken(variant):
    """Return its name without a comma, which would read as two.

    Of what needs a build it says so.
    """
    name = variant.replace(",", "")
    return f"{name} (needs a build)" if variant in BUILT else name


def few(names):
    """Return names; of many, the first few, and how many others."""
    if len(names) <= FEW + 1:
        return names
    return [*names[:FEW], f"{len(names) - FEW} others"]


def left_open(choices, best):
    """Return the names of those of which one wins: "a, b or c".

    best  prediction.Winner

    Of many, the cheapest few.
    """
    names = [name(choices, variant) for variant in best.among]
    return listed(few(names), "or")


def guessed(choices, variant, n):
    """Return the mark of a gain at a size that Python was not measured at."""
    far = n > choices.limit("Python")
    return EXTRAPOLATED if far and variant != "Python" else ""


def legend(choices):
    """Say what the mark of a gain means."""
    upto = choices.costs["Python"].all_.upto
    return (
        f"{EXTRAPOLATED} Python's own loop was measured up to "
        f"{counted(int(upto), choices.problem.unit)}: a gain at more than "
        f"{REACH:g} times that is a guess."
    )


def about_untested(kinds):
    """Say why times have no interval, or "".

    kinds  of parts that nothing tested, keys of UNTESTED
    """
    if not kinds:
        return ""
    names = [name for kind, name in UNTESTED.items() if kind in kinds]
    return (
        "A time with “about” has no interval, because a part of it was not "
        f"tested: {listed(names, 'or')}."
    )


def about_cores(choices, workers, recorded=False):
    """Return what is to be said of a number of cores, or "".

    recorded  whether another machine's numbers stand for them

    Beyond the machine's own, the model predicts.
    """
    if recorded:
        return (
            f"The numbers for {counted(workers, 'cores')} are another "
            f"machine's, recorded: {choices.measured.origin}."
        )
    if workers <= choices.workers:
        return ""
    measured = f"Measured were {counted(choices.workers, 'cores')}"
    reach = FARTHEST * choices.workers
    if workers <= reach:
        return f"{measured}; what {workers:,} do is the model's prediction."
    return (
        f"{measured}, which tell nothing of more than {reach}: the times of "
        f"methods that share their work are those of {reach} cores. With "
        f"{workers:,} they are at best {workers / reach:.3g} times shorter; "
        "measure on that machine."
    )
