"""A choice in words: what was asked, who wins, and what is left open."""

import itertools

from onthefly import presets
from onthefly.experiments.choice.prediction import ONCE, REACH, gain, total
from onthefly.experiments.choice.sizes import SIZES
from onthefly.findings import listed
from onthefly.quantity import Quantity

DATA = {
    "own": "in the form that each way takes",
    "arrays": "in NumPy's arrays",
    "lists": "in lists",
}
FEW = 3  # names, of those that are left open
EXTRAPOLATED = "*"  # marks a gain over a loop that was not measured there
# Each preset but the last resolves less than the next; "talk" is no finer.
NEXT = dict(itertools.pairwise(presets.NAMES[:-1]))


def again(preset):
    """Say what would resolve more than a run at this preset."""
    finer = NEXT.get(preset)
    return f"run at {finer}" if finer else "the finest preset leaves it open"


def finer(preset):
    """Return [(preset, its largest size)] of those that measure more.

    The coarsest comes first; a size counts as far as a prediction reaches.
    """
    own = presets.nearest(preset, SIZES)[-1]
    most = {name: sizes[-1] for name, sizes in SIZES.items()}
    return [(k, REACH * n) for k, n in most.items() if n > own]


def further(preset, n):
    """Say what would measure a size that a run at this preset does not."""
    for name, most in finer(preset):
        if n <= most:
            return f"run at {name}"
    return "no preset measures it"


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
    return either(few(_open(choices, best)))


def _open(choices, best):
    """Return the names of those of which one wins, the cheapest first."""
    return [name(choices, way) for way in (best.way, *best.rivals)]


def few(names):
    """Return names; of many, the first few, and how many others."""
    if len(names) <= FEW + 1:
        return names
    return [*names[:FEW], f"{len(names) - FEW} others"]


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
    told = [_lead(choices, best, ranked, n)]
    if best.lead and not best.rivals:
        second = name(choices, list(ranked)[1])
        told.append(f"The next, {second}, takes {best.lead} as long.")
    return " ".join([*told, *_beyond(choices, best, n, **options)])


def _beyond(choices, best, n, *, workers=None, data="own", **_):
    """Yield what was not measured of those of which one wins.

    Options of `Choices.ranked`.
    """
    ways = (best.way, *best.rivals)
    far = [
        name(choices, way)
        if choices.beyond(way, n)
        else f"the conversion for {name(choices, way)}"
        for way in ways
        if choices.beyond(way, n, data=data)
    ]
    if far:
        yield (
            f"This size is more than {REACH:g} times the largest that was "
            f"measured of {either(few(far))}: "
            f"{further(choices.found.preset, n)}."
        )
    fixed = [
        name(choices, k) for k in ways if other_cores(choices, k, workers)
    ]
    if fixed:
        yield (
            f"Measured of {either(few(fixed))} was a run on "
            f"{counted(choices.workers, 'cores')} alone: what {workers:,} "
            "would do is not known."
        )


def other_cores(choices, way, workers):
    """Tell whether what was measured of a way does not tell of so many."""
    return choices.beyond(way, 1, workers)


def _lead(choices, best, ranked, n):
    """Say what the cheapest way takes, and what it gains over Python.

    Where others may be ahead of it, say so first.
    """
    python = best.way == "Python"
    way = "Python's own loop" if python else name(choices, best.way)
    cost = str(ranked[best.way])
    if best.gain and not python:
        mark = guessed(choices, best.way, n)
        cost += f", {best.gain}{mark} as fast as Python's loop"
    if not best.rivals:
        return f"{way} is predicted to take the least: {cost}."
    return (
        f"{listed(few(_open(choices, best)))} cannot be told apart: "
        f"{again(choices.found.preset)}. Of these {way} is predicted to come "
        f"first: {cost}."
    )


def gained(choices, ranked, way, n):
    """Return a way's gain over Python as text, marked where it is a guess.

    ranked  what `Choices.ranked` returns at size n
    """
    found = gain(ranked, way)
    return f"{found}{guessed(choices, way, n)}" if found else "–"


def guessed(choices, way, n):
    """Return the mark of a gain at a size that Python was not measured at."""
    far = way != "Python" and choices.beyond("Python", n)
    return EXTRAPOLATED if far else ""


def legend(choices):
    """Say what the mark of a gain means."""
    upto = choices.costs["Python"].curve.upto
    return (
        f"{EXTRAPOLATED} Python's own loop was measured up to "
        f"{counted(int(upto), choices.problem.unit)}: a gain at more than "
        f"{REACH:g} times that is a guess."
    )


# The parts of a cost, and what is said where one of them decides.
PARTS = (
    "less to load",
    "cheaper calls",
    "faster elements",
    "less to convert",
)


def decides(choices, best, n, **options):
    """Return in which part of its cost the best gains most, one of PARTS.

    best     prediction.Winner
    options  of `Choices.ranked`

    Beside Python; where that is the best, beside the second.  "" where there
    is no other, or no part is resolved to gain more than each of the rest.
    """
    ranked = choices.ranked(n, **options)
    others = [way for way in ranked if way != best.way]
    if not others:
        return ""
    other = "Python" if "Python" in others else others[0]
    same = choices.problem.start(other) == choices.problem.start(best.way)
    slow, fast = (
        _parts(choices, way, n, shared=same, **options)
        for way in (other, best.way)
    )
    saved = {part: slow[part] - fast[part] for part in PARTS}
    most, *rest = sorted(PARTS, key=lambda k: saved[k].value, reverse=True)
    ahead = saved[most] > 0 and all(saved[most] > saved[k] for k in rest)
    return most if ahead else ""


def _parts(
    choices, way, n, *, shared, calls=1, workers=None, data="own",
    imports=True, device=False,
):  # fmt: skip
    """Return {part: seconds, a Quantity} of what a way costs.

    shared  whether the other starts the same, which is no difference
    """
    cost, workers = choices.costs[way], workers or choices.workers
    seconds, spread = cost.call(n, workers)
    curve = cost.one if cost.one and workers == 1 else cost.curve
    _, fixed, _ = next(piece for piece in curve.pieces if n <= piece[0])
    share = min(fixed / curve.at(n).value, 1.0)
    loads = cost.loads if imports and not shared else 0.0
    moves = [choices.conversions[k] for k in choices.converting(way, data)]
    found = (
        [(loads, ONCE), (cost.first, ONCE)],
        [(calls * seconds * share, spread)],
        [(calls * seconds * (1 - share), spread)],
        [(calls * move.at(n).value, move.spread) for move in moves],
    )
    return dict(zip(PARTS, map(total, found), strict=True))


def cores(choices, workers, recorded=False):
    """Return what is to be said of a number of cores, or "".

    recorded  whether another machine's numbers stand for them

    Beyond the machine's own, it is the model that tells.
    """
    if recorded:
        return (
            f"The numbers for {counted(workers, 'cores')} are another "
            f"machine's, recorded: {choices.found.origin}."
        )
    if workers <= choices.workers:
        return ""
    return (
        f"Measured were {counted(choices.workers, 'cores')}; what "
        f"{workers:,} do is the model's prediction."
    )
