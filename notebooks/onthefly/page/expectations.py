"""Conclusions of the prose, and whether the data bear them out.

A sentence that concludes has its condition in a folded cell before it.  Where
all conditions hold, nothing is shown; otherwise one line says so, with the
true reason, and the numbers behind it.
"""

import dataclasses
import html

from onthefly.measure.quantity import Comparison

HOLDS, REFUTED, OPEN = "holds", "not so", "not resolved"


@dataclasses.dataclass(frozen=True)
class Expectation:
    """A conclusion, and what the data make of it.

    text     the conclusion, in a few words
    verdict  HOLDS, REFUTED where a condition does not hold, or OPEN where
             one is not resolved
    doubt    why it is open, in words
    numbers  the comparisons that do not hold, with their numbers
    groups   names of the measurements that it rests on
    """

    text: str
    verdict: str
    doubt: str = ""
    numbers: str = ""
    groups: tuple[str, ...] = ()

    def __str__(self):
        if self.verdict == HOLDS:
            return ""
        return f" {self._line()}. {self.numbers}".rstrip()

    def _line(self):
        said = "Not so in these data"
        if self.verdict == OPEN:
            said = f"Not settled in these data ({self.doubt})"
        return f"{said}: {self.text}" if self.text else said

    @property
    def holds(self):
        """True, False, or None: open."""
        return {HOLDS: True, REFUTED: False, OPEN: None}[self.verdict]

    def _repr_pretty_(self, printer, cycle):
        printer.text(str(self))

    def _repr_html_(self):
        if self.verdict == HOLDS:
            return ""
        said = html.escape(f"{self._line()}.")
        if not self.numbers:
            return f'<p class="otf-expect">{said}</p>'
        return (
            f'<details class="otf-expect"><summary>{said}</summary>'
            f"{html.escape(self.numbers)}</details>"
        )


def check(text, conditions):
    """Return the Expectation of a conclusion.

    text        the conclusion, in a few words
    conditions  Comparisons, booleans, None (not resolved), other
                Expectations, or lists of them

    Without text it is the sentence before it that the prose concludes.
    Raises ValueError for no conditions, TypeError for a condition that is
    none of these.
    """
    every = list(flat(conditions))
    if not every:
        raise ValueError("expect: needs conditions")
    held = [_holds(c) for c in every]
    rest = [c for c in every if isinstance(c, (Comparison, Expectation))]
    groups = sorted({g for c in rest for g in c.groups})
    if all(held):
        return Expectation(text, HOLDS, groups=tuple(groups))
    refuted = False in held
    against = [
        c
        for c, outcome in zip(every, held, strict=True)
        if isinstance(c, Comparison)
        and outcome is (False if refuted else None)
    ]
    numbers = (f"{str(c)[0].upper()}{str(c)[1:]}." for c in against)
    doubts = dict.fromkeys(c.doubt for c in against if c.doubt)
    return Expectation(
        text,
        REFUTED if refuted else OPEN,
        "" if refuted else ", ".join(doubts) or "too few data",
        " ".join(numbers),
        tuple(groups),
    )


def _holds(condition):
    """Return True, False or None: whether one condition holds."""
    if isinstance(condition, (Comparison, Expectation)):
        return condition.holds
    if condition is None or type(condition).__name__ in ("bool", "bool_"):
        return None if condition is None else bool(condition)
    raise TypeError(
        f"expect: {condition!r} is no condition; compare it, as in gain > 1"
    )


def flat(conditions):
    """Yield the conditions of nested lists."""
    for c in conditions:
        if isinstance(c, (list, tuple)):
            yield from flat(c)
        else:
            yield c
