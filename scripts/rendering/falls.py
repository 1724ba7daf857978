"""How far a claim fell from what was published, and what moved it.

From the published figure to what the software of then finds here, the machine
moved it; from there to what today's finds, the software.
"""

import dataclasses
import math

from onthefly.measure.quantity import Quantity
from onthefly.page import claims

CHANGED = ("contradicted", "weaker", "stronger")
HELD = ("reproduced", claims.SHOWN)
UNKNOWN = "unknown"
CAUSES = {  # and how they are called
    "software": "software",
    "machine": "machine",
    "slip": "a mistake in the talk",
    UNKNOWN: "unknown",
    claims.AIMS: "an aim of this book",
}
SAME = 1.005  # what lies nearer to a figure is no fall
# How a number lies from what its rule is about, above and below: a figure,
# a bound that the ledger sets, or how often something is seen.
WORDS = {
    "at most": ("beyond", ""),
    "at least": ("", "beyond"),
    "occurs": ("", "rarer"),
}


@dataclasses.dataclass(frozen=True)
class Fall:
    """How far what was measured lies from what was published.

    factor  the one over the other; None where their ratio says nothing
    by      one of CAUSES; "" where nothing fell
    word    where it lies: "above", "below", "beyond", "rarer"
    least   it lies so far off, or farther
    rose    it moved the claim's own way
    """

    factor: float | None = None
    by: str = ""
    word: str = ""
    least: bool = False
    rose: bool = False

    @property
    def depth(self):
        """How far it fell, as a logarithm; 0 where no ratio tells."""
        depth = abs(math.log(self.factor)) if self.factor else 0.0
        return -depth if self.rose else depth

    def __str__(self):
        if not self.factor:
            return ""
        times = max(self.factor, 1 / self.factor)
        text = Quantity.exact(times, "×").short
        return f"{'more than ' * self.least}{text} {self.word}"


def of(then, today):
    """Return the Fall of a claim.

    then   its Verdict by the software of its time, or None: not tried
    today  that by today's software, or None

    Of two that fell, today's tells how far.
    """
    tried = [one for one in (today, then) if one]
    changed = [one for one in tried if _least(one).verdict in CHANGED]
    last = (changed or tried)[0]
    factor = _factor(last, then)
    up, down = ("above", "below")
    if last.claim.expect:
        up, down = WORDS.get(last.claim.expect["rule"], (up, down))
    return Fall(
        factor,
        _by(then, today) if changed else "",
        up if (factor or 0) > 1 else down,
        _least(last) is not last,
        _least(last).verdict == "stronger",
    )


def _least(verdict):
    """Return a Verdict or, of one left open, that of the least it can be.

    That is the end of the interval nearest to the claim's figure, and so
    with what was never seen: it is at most as frequent as that.
    """
    q, claim = verdict.quantity, verdict.claim
    if not q or (verdict.verdict != claims.UNRESOLVED and q.value):
        return verdict
    figure = _figure(claim)
    end = min(max(figure, q.low), q.high)
    if not math.isfinite(end):
        return verdict
    nearest = dataclasses.replace(q, value=end, low=end, high=end)
    if verdict.verdict == claims.UNRESOLVED:
        return claims.judge(claim, nearest)
    return dataclasses.replace(verdict, quantity=nearest)


def _figure(claim):
    """Return the figure that a rule sets a number against; 0: none."""
    rule = claim.expect["rule"]
    return 1 if rule == "holds" else claim.expect.get("value", 0)


def _factor(verdict, then):
    """Return what was found over what was published; None where none tells.

    then  the Verdict by the software of then: how often something occurs
          was not published, so what that saw stands for it

    None is a bound that is kept, or a figure that may be met.
    """
    if not verdict.quantity or not verdict.claim.expect:
        return None
    least, rule = _least(verdict), verdict.claim.expect["rule"]
    found, figure = least.quantity.value, _figure(verdict.claim)
    if verdict.verdict == claims.UNRESOLVED and least.verdict not in CHANGED:
        return None
    if rule == "occurs" and then and then.quantity:
        figure = max(figure, then.quantity.value)
    kept = {
        "at most": found <= figure,
        "at least": found >= figure,
        "occurs": found >= figure,
    }
    if kept.get(rule) or not figure:
        return None
    ratio = found / figure
    return ratio if ratio > 0 and not 1 / SAME < ratio < SAME else None


def _by(then, today):
    """Return what made a claim fall; see `Fall`.

    Where the software of then was tried, it is arithmetic; but what it
    denies on any machine is a slip: where the ledger says so, and what an
    interface answers.
    """
    claim = (then or today).claim
    cause = claim.cause["kind"] if claim.cause else UNKNOWN
    if then is None:
        return claims.AIMS if claim.source == claims.AIMS else cause
    fell = then.verdict in CHANGED
    if fell and (cause == "slip" or claim.kind == "api"):
        return "slip"
    if today is None or _least(today).verdict not in CHANGED:
        return "machine" if fell else UNKNOWN
    if then.verdict in HELD:
        return "software"
    before, after = _factor(then, then), _factor(today, then)
    if not (before and after):
        return "machine" if fell else UNKNOWN
    down = math.copysign(1, math.log(after))
    machine, software = math.log(before), math.log(after / before)
    return "machine" if down * machine >= down * software else "software"
