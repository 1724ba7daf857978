"""A choice in words: what was asked, who wins, and what is left open.

The page's calculator fills the same sentences in.
"""

import math

from onthefly.figures.findings import listed
from onthefly.kernels.methods import KINDS
from onthefly.kernels.sizes import SIZES
from onthefly.measure import presets
from onthefly.measure.quantity import Quantity
from onthefly.predict.prediction import REACH, gain

SENTENCES = {
    "least": "{name} is predicted to take the least: {cost}.",
    "open": "{names} cannot be told apart: {again}. Of these {name} is "
    "predicted to come first: {cost}.",
    "gain": "{cost}, {gain} as fast as Python's loop",
    "Python": "Python's own loop",
    "next": "The next, {name}, takes {ratio} as long.",
    "far": "This size is more than {reach} times the largest that was "
    "measured of {names}: {further}.",
    "conversion": "the conversion for {name}",
    "lone": "Measured of {names} was a run on {measured} alone: what "
    "{cores} would do is not known.",
    "others": "{count} others",
    "beyond": "beyond what was measured",
    "unmeasured": "{problem}: not measured on {machine}",
}
DATA = {
    "own": "in the form that each way takes",
    "arrays": "in NumPy's arrays",
    "lists": "in lists",
}
MOST = {"size": 10**15, "calls": 10**15, "cores": 4096}  # that may be asked
FEW = 3  # names, of those that are left open
EXTRAPOLATED = "*"  # marks a gain over a loop that was not measured there


def fill(sentence, **values):
    """Return one of SENTENCES with its values."""
    return SENTENCES[sentence].format(**values)


def wanted(name):
    """Return what a number has to be, one of MOST, as a phrase."""
    return f"a whole number from 1 to {MOST[name]:g}, as 1000 or 1e3"


def again(preset):
    """Say what would resolve more than a run at this preset."""
    finer = dict(zip(presets.NAMES, presets.NAMES[1:-1], strict=False))
    if preset not in finer:  # "talk" is no finer than "L"
        return "the finest preset leaves it open"
    return f"run at {finer[preset]}"


def further(preset):
    """Return [(up to which size, what would measure it)], rising.

    Those of the presets that measure more than this one; the last entry has
    no end.  A size counts as far as a prediction reaches.
    """
    own = presets.nearest(preset, SIZES)[-1]
    finer = [
        (REACH * sizes[-1], f"run at {name}")
        for name, sizes in SIZES.items()
        if sizes[-1] > own
    ]
    return [*finer, (math.inf, "no preset measures it")]


def measures(preset, n):
    """Say what would measure a size that a run at this preset does not."""
    return next(text for most, text in further(preset) if n <= most)


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


def name(choices, variant):
    """Return what a variant is called: a library's routine by its name."""
    routine = variant == "routine"
    return choices.problem.routine if routine else spoken(variant)


def spoken(variant):
    """Return its name without a comma, which would read as two.

    Of what is compiled ahead it says so: no prediction counts the build.
    """
    name = variant.replace(",", "")
    return f"{name} (built before)" if KINDS[variant].ahead else name


def few(names):
    """Return names; of many, the first few, and how many others."""
    if len(names) <= FEW + 1:
        return names
    return [*names[:FEW], fill("others", count=len(names) - FEW)]


def left_open(choices, best):
    """Return the names of those of which one wins: "a, b or c".

    best  prediction.Winner

    Of many, the cheapest few.
    """
    return listed(few(_open(choices, best)), "or")


def _open(choices, best):
    """Return the names of those of which one wins, the cheapest first."""
    return [name(choices, variant) for variant in best.among]


def least_gain(choices, best, n, **options):
    """Return the least that those left open gain over Python, or None.

    best     prediction.Winner
    options  of `Choices.ranked`

    The lowest end of their intervals, a Quantity; None where one of them
    may gain nothing.
    """
    ranked = choices.ranked(n, **options)
    gains = [gain(ranked, variant) for variant in best.among]
    if not all(gains):
        return None
    least = min(q.low for q in gains)
    return Quantity.exact(least, "×") if least > 1 else None


def answer(choices, n, **options):
    """Return who wins and what that gains, in a few sentences.

    choices  prediction.Choices
    n        size
    options  of `Choices.ranked`
    """
    ranked = choices.ranked(n, **options)
    best = choices.winner(n, **options)
    text = [_lead(choices, best, ranked, n)]
    if best.lead and not best.rivals:
        second = name(choices, list(ranked)[1])
        text.append(fill("next", name=second, ratio=best.lead))
    return " ".join([*text, *_beyond(choices, best, n, **options)])


def _lead(choices, best, ranked, n):
    """Say what the cheapest takes, and what it gains over Python.

    Where others may be ahead of it, say so first.
    """
    python = best.variant == "Python"
    cost = str(ranked[best.variant])
    if best.gain and not python:
        by = gained(choices, ranked, best.variant, n)
        cost = fill("gain", cost=cost, gain=by)
    return fill(
        "open" if best.rivals else "least",
        name=fill("Python") if python else name(choices, best.variant),
        names=listed(few(_open(choices, best))),
        again=again(choices.measured.preset),
        cost=cost,
    )


def _beyond(choices, best, n, *, workers=None, data="own", **_):
    """Yield what was not measured of those of which one wins.

    Options of `Choices.ranked`.
    """
    far = [_too_large(choices, variant, n, data) for variant in best.among]
    far = list(filter(None, far))
    if far:
        yield fill(
            "far",
            reach=REACH,
            names=listed(few(far), "or"),
            further=measures(choices.measured.preset, n),
        )
    lacking = [
        name(choices, variant)
        for variant in best.among
        if choices.other_cores(variant, workers)
    ]
    if lacking:
        yield fill(
            "lone",
            names=listed(few(lacking), "or"),
            measured=counted(choices.workers, "cores"),
            cores=f"{workers:,}",
        )


def _too_large(choices, variant, n, data):
    """Return of what a size lies beyond what was measured, or "".

    Of the variant, or else of what brings the data into its form.
    """
    if n <= choices.limit(variant, data):
        return ""
    known = name(choices, variant)
    own = n > choices.limit(variant)
    return known if own else fill("conversion", name=known)


def gained(choices, ranked, variant, n):
    """Return a variant's gain over Python as text, marked where a guess.

    ranked  what `Choices.ranked` returns at size n
    """
    ratio = gain(ranked, variant)
    return f"{ratio}{guessed(choices, variant, n)}" if ratio else "–"


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
    return (
        f"Measured were {counted(choices.workers, 'cores')}; what "
        f"{workers:,} do is the model's prediction."
    )
