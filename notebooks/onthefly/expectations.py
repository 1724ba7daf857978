"""Conclusions of the prose, and whether a run's own numbers bear them out.

A sentence that concludes has its condition behind it.  Where all conditions
hold, nothing is shown; otherwise one line says so, with the numbers, and what
the recorded machines found.
"""

import dataclasses
import html

from onthefly import results
from onthefly.quantity import Comparison

HOLDS, REFUTED, OPEN = "holds", "not so", "not resolved"


@dataclasses.dataclass(frozen=True)
class Expectation:
    """A conclusion, and what a run makes of it.

    text       the conclusion, a sentence
    verdict    HOLDS, REFUTED where a condition does not hold, or OPEN where
               one is not resolved
    found      the comparisons that do not hold, with their numbers
    recorded   what recorded machines found, where it does not hold here
    """

    text: str
    verdict: str
    found: str = ""
    recorded: str = ""

    def __str__(self):
        if self.verdict == HOLDS:
            return ""
        here = f"{self.verdict.capitalize()} in this run: {self.text}"
        return " ".join(filter(None, [here, self.found, self.recorded]))

    def _repr_pretty_(self, printer, cycle):
        printer.text(str(self))

    def _repr_html_(self):
        if self.verdict == HOLDS:
            return ""
        return f'<span class="otf-expect">{html.escape(str(self))}</span>'


def check(text, conditions, slug):
    """Return the Expectation of a conclusion.

    text        the conclusion, a sentence with its full stop
    conditions  Comparisons, booleans, None (not resolved), or lists of them
    slug        the page, by which recorded runs of it are found

    Raises ValueError for no conditions or text, TypeError for a condition
    that is none of these.
    """
    flat = list(_flat(conditions))
    if not flat or not text.strip():
        raise ValueError("expect: needs a sentence, and conditions")
    held = [_holds(c) for c in flat]
    if all(held):
        return Expectation(text, HOLDS)
    verdict = REFUTED if False in held else OPEN
    numbers = [
        f"{str(c)[0].upper()}{str(c)[1:]}."
        for c, held_ in zip(flat, held, strict=True)
        if isinstance(c, Comparison)
        and held_ is (False if verdict == REFUTED else None)
    ]
    return Expectation(
        text, verdict, " ".join(numbers), _recorded(text, slug)
    )


def _holds(condition):
    """Return True, False or None: whether one condition holds."""
    if isinstance(condition, Comparison):
        return condition.holds
    if condition is None or type(condition).__name__ in ("bool", "bool_"):
        return None if condition is None else bool(condition)
    raise TypeError(
        f"expect: {condition!r} is no condition; compare it, as in gain > 1"
    )


def _flat(conditions):
    """Yield the conditions of nested lists."""
    for c in conditions:
        if isinstance(c, (list, tuple)):
            yield from _flat(c)
        else:
            yield c


def _recorded(text, slug):
    """Return what recorded runs made of the same conclusion, or ""."""
    verdicts = [
        f"{old.origin}: {old.expected[text]['verdict']}"
        for old in results.recorded(slug)
        if text in old.expected
    ]
    return f"Recorded: {'; '.join(verdicts)}." if verdicts else ""
