"""A choice in words: what was asked, who wins, and what is left open."""

from onthefly.experiments.choice.prediction import REACH, gain
from onthefly.findings import listed
from onthefly.quantity import Quantity

DATA = {
    "own": "in the form that each way takes",
    "arrays": "in NumPy's arrays",
    "lists": "in lists",
}
FEW = 3  # names, of those that are left open
NEXT = {"S": "M", "M": "L"}  # the preset that resolves more


def again(preset):
    """Say what would resolve more than a run at this preset."""
    finer = NEXT.get(preset)
    return f"run at {finer}" if finer else "the finest preset leaves it open"


def further(preset):
    """Say what would measure larger sizes than a run at this preset."""
    return "run at M" if preset == "S" else "no preset measures it"


def counted(count, unit):
    """Return a count in words: "1 call", "1,000 calls"."""
    return f"{count:,} {unit if count != 1 else unit.removesuffix('s')}"


def asked(choices, n, calls, workers, data, imports):
    """Return what is asked, as a phrase; arguments of `Choices.cost`."""
    problem = choices.problem
    return ", ".join(
        [
            f"{problem.name} ({problem.title})",
            counted(n, problem.unit),
            counted(calls, "calls"),
            counted(workers, "cores"),
            f"data {DATA[data]}",
            *([] if imports else ["libraries loaded already"]),
        ]
    )


def name(choices, way):
    """Return what a way is called: the library's routine by its own name."""
    return choices.problem.routine if way == "routine" else spoken(way)


def spoken(way):
    """Return a way's name without a comma, which would read as two ways."""
    return way.replace(",", "")


def left_open(choices, best):
    """Return the names of those of which one wins: "a, b or c".

    best  prediction.Winner

    Of many, the cheapest few.
    """
    return either(_open(choices, best))


def _open(choices, best):
    """Return the names of those of which one wins; of many, the first few."""
    names = [name(choices, way) for way in (best.way, *best.rivals)]
    if len(names) > FEW + 1:
        names[FEW:] = [f"{len(names) - FEW} others"]
    return names


def least_gain(choices, best, n, **options):
    """Return the least that the ways left open gain over Python, or None.

    best     prediction.Winner
    options  of `Choices.ranked`

    The lowest end of their intervals, a Quantity; None where one of them
    may gain nothing.
    """
    ranked = choices.ranked(n, **options)
    gains = [gain(ranked, way) for way in (best.way, *best.rivals)]
    if not all(gains):
        return None
    least = min(q.low for q in gains)
    return Quantity.exact(least, "×") if least > 1 else None


def either(names):
    """Return names as a choice: "a, b or c"."""
    return listed(names, "or")


def answer(choices, n, **options):
    """Return who wins and what that gains, in a few sentences.

    choices  prediction.Choices
    n        size
    options  of `Choices.ranked`
    """
    ranked = choices.ranked(n, **options)
    best = choices.winner(n, **options)
    told = [_lead(choices, best, ranked)]
    preset = choices.found.preset
    if best.lead and not best.rivals:
        second = name(choices, list(ranked)[1])
        told.append(f"The next, {second}, takes {best.lead} as long.")
    if best.beyond:
        ways = (best.way, *best.rivals)
        far = [name(choices, k) for k in ways if choices.beyond(k, n)]
        told.append(
            f"This size is more than {REACH:g} times the largest that was "
            f"measured of {either(far)}: {further(preset)}."
        )
    return " ".join(told)


def _lead(choices, best, ranked):
    """Say what the cheapest way takes, and what it gains over Python.

    Where others may be ahead of it, say so first.
    """
    python = best.way == "Python"
    way = "Python's own loop" if python else name(choices, best.way)
    cost = str(ranked[best.way])
    if best.gain and not python:
        cost += f", {best.gain} as fast as Python's loop"
    if not best.rivals:
        return f"{way} is predicted to take the least: {cost}."
    return (
        f"{listed(_open(choices, best))} cannot be told apart: "
        f"{again(choices.found.preset)}. Of these {way} is predicted to come "
        f"first: {cost}."
    )


# The parts of a cost, and what is said where one of them decides.
PARTS = ("less to load", "cheaper calls", "faster elements")


def decides(choices, best, n, *, calls, workers):
    """Return in which part of its cost the best gains most, one of PARTS.

    Beside Python; where that is the best, beside the second; "" where there
    is no other.
    """
    options = {"calls": calls, "workers": workers}
    others = [k for k in choices.ranked(n, **options) if k != best.way]
    if not others:
        return ""
    other = "Python" if "Python" in others else others[0]
    pairs = zip(
        _parts(choices.costs[other], n, **options),
        _parts(choices.costs[best.way], n, **options),
        strict=True,
    )
    saved = [slow - fast for slow, fast in pairs]
    return PARTS[saved.index(max(saved))]


def _parts(cost, n, calls, workers):
    """Return the seconds of a start, of calls, and of their elements."""
    seconds, _ = cost.call(n, workers)
    _, call, _ = cost.curve.pieces[0]
    fixed = min(call / cost.curve.at(n).value, 1.0)
    start = cost.loads + cost.first
    return start, calls * seconds * fixed, calls * seconds * (1 - fixed)


def cores(choices, workers):
    """Return what is to be said of a number of cores, or "".

    Beyond the machine's own, it is the model that tells.
    """
    if workers <= choices.workers:
        return ""
    return (
        f"Measured were {counted(choices.workers, 'cores')}; what "
        f"{workers:,} do is the model's prediction."
    )
