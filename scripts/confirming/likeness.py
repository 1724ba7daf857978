"""Which of the book's eight problems a function behaves like.

A function and each problem are compared by what was measured of both, and by
what their sources show.  The problems' measurements are those of the page
"Eight problems", and their signs are read in their own plain Python kernels.
"""

import dataclasses
import functools
import math

from confirming import compiled, traits
from onthefly import findings, models
from onthefly.experiments.choice.problems import PROBLEMS

# Distances are shares, 0 to 1.  A factor of so many doublings counts as 1: an
# element of an array costs Python several times one of a list.
DOUBLINGS = 5
UNLIKE = 0.5  # Numba takes one of the two, and the other not
WEAK = 0.5  # weight of a sign that most loops have; others count 1
STEEP = 0.25  # the most by which the growth's exponent may differ from 1
NEAR, CLEAR = 0.36, 0.1  # a name needs this distance, and so much to the next
MEASURED = 0.7  # and no more than this in what was measured alone
SIZES = 3  # the largest, of which the numbers are taken


@dataclasses.dataclass(frozen=True)
class Evidence:
    """What is known of a function, or of a problem.

    python  seconds an element, in Python
    gain    times as fast, compiled by Numba; None: it does not compile
    signs   what the source shows (see traits)
    """

    python: float
    gain: float | None
    signs: frozenset[str]


@dataclasses.dataclass(frozen=True)
class Likeness:
    """The problem that a function behaves like.

    name      of the problem, or "" where it cannot be told
    why       what that rests on, or why it cannot be told
    ranked    [(name, distance)], the nearest first
    """

    name: str
    why: str
    ranked: tuple[tuple[str, float], ...] = ()


def likeness(found, results):
    """Return the Likeness of a Found.

    results  results.Results of the page that measured the problems
    """
    if not found.signs:
        return Likeness("", "its source shows no loop that the book knows")
    grows = growth(found)
    if grows is None or abs(grows - 1) > STEEP:
        said = "too few sizes tell how its time grows" if grows is None else (
            f"its time grows as its elements to the power {grows:.2f}, and "
            "that of the eight in proportion to them"
        )  # fmt: skip
        return Likeness("", said)
    return nearest(of_function(found), of_problems(results))


def nearest(own, known):
    """Return the Likeness of an Evidence to those of problems.

    own    Evidence
    known  {name: Evidence}
    """
    if not known:
        return Likeness("", "none of them was measured in Python")
    shown = frozenset().union(*(one.signs for one in known.values()))
    if strange := own.signs - shown:
        said = findings.listed(sorted(strange))
        return Likeness("", f"it {said}, which none that was measured does")
    far = {name: distance(own, one) for name, one in known.items()}
    ranked = tuple(sorted(far.items(), key=lambda pair: pair[1]))
    (name, best), *others = ranked
    measured = _measured(own, known[name])
    if best > NEAR or measured > MEASURED:
        why = f"the nearest, {name}, is too far: {_told(own, known[name])}"
        return Likeness("", why, ranked)
    near = [other for other, far in others if far - best < CLEAR]
    if near:
        why = f"it is between {name} and {near[0]}: {_told(own, known[name])}"
        return Likeness("", why, ranked)
    return Likeness(name, _told(own, known[name]), ranked)


def distance(one, other):
    """Return how far two Evidences are apart, 0 to 1: half is measured."""
    return (_measured(one, other) + _read(one.signs, other.signs)) / 2


def _measured(one, other):
    parts = [_apart(one.python, other.python)]
    if one.gain and other.gain:
        parts.append(_apart(one.gain, other.gain))
    elif one.gain or other.gain:
        parts.append(UNLIKE)
    return sum(parts) / len(parts)


def _apart(a, b):
    return min(abs(math.log2(a / b)) / DOUBLINGS, 1.0)


def _read(one, other):
    """Return the share of signs that only one of the two has."""
    every = _weight(one | other)
    return 1 - _weight(one & other) / every if every else 1.0


def _weight(signs):
    weak = {traits.SUMS, traits.STORES}
    return sum(WEAK if sign in weak else 1.0 for sign in signs)


def _told(own, other):
    """Say what speaks for a likeness, measured first."""
    said = [f"measured: an element costs Python {own.python * 1e9:.3g} ns, "
            f"there {other.python * 1e9:.3g} ns"]  # fmt: skip
    gains = [f"{e.gain:.3g}×" if e.gain else "nothing" for e in (own, other)]
    said.append(f"Numba gains {gains[0]}, there {gains[1]}")
    both, here = own.signs & other.signs, own.signs - other.signs
    there = other.signs - own.signs
    signs = [
        f"{words}: {', '.join(sorted(some))}"
        for words, some in [
            ("both", both),
            ("only yours", here),
            ("only there", there),
        ]
        if some
    ]
    return f"{'; '.join(said)}; read in the source, {'; '.join(signs)}"


def growth(found):
    """Return the exponent with which the time grows with the elements.

    Of the larger half of the sizes; None where there are fewer than three.
    """
    sizes = found.sizes[-max(3, math.ceil(len(found.sizes) / 2)) :]
    elements = [found.elements[n] for n in sizes]
    if len(set(elements)) < 3:
        return None
    seconds = [found.seconds[n].value for n in sizes]
    return models.power(elements, seconds)["b"].value


def of_function(found):
    """Return the Evidence of a Found."""
    largest = found.sizes[-SIZES:]
    costs = [found.seconds[n].value / found.elements[n] for n in largest]
    fast = found.compiled
    gains = [
        max(some[max(some)].value for some in (fast.gains, fast.with_arrays)
            if some)
    ] if fast.gains and not fast.differs else []  # fmt: skip
    if fast.already:  # what was timed is the compiled one
        plain = fast.times.seconds(compiled.PLAIN, max(fast.gains)).value
        costs = [plain / found.elements[max(fast.gains)]]
    return Evidence(
        sum(costs) / len(costs), max(gains, default=None), found.signs
    )


def of_problems(results):
    """Return {name: Evidence} of the problems that were measured.

    In Python, and at one of its sizes by Numba, where that ran at all.
    """
    found = {
        name: _of_problem(name, results.timings[name])
        for name in PROBLEMS
        if name in results.timings
    }
    return {name: one for name, one in found.items() if one}


def _of_problem(name, times):
    """Return the Evidence of a problem, or None."""
    sizes, gain = times.sizes("Python"), None
    if not sizes:
        return None
    if "Numba" in times.names:
        both = {*sizes} & {*times.sizes("Numba")}
        if not both:
            return None
        gain = times.ratio("Python", "Numba", max(both)).value
    costs = [times.seconds("Python", n).value / n for n in sizes[-SIZES:]]
    return Evidence(sum(costs) / len(costs), gain, _signs(name))


@functools.cache
def _signs(name):
    """Return what the source of a problem's plain Python kernel shows."""
    function = PROBLEMS[name].function("Python")
    return traits.read([function, *compiled.helpers(function)])
