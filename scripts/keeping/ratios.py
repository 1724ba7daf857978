"""The ratios that a run measured, of which a page's headline is one.

No list names them.  They are the ratios (×) that the page's claims are judged
by, in the page's order, and then that of its first measurement: the first
two ways of it, at the largest size that both have.
"""

import dataclasses
import itertools
import math

from onthefly.quantity import Quantity


@dataclasses.dataclass(frozen=True)
class Ratio:
    """A ratio and what it is of.

    of       ["claim", id], or ["times", group, slow, fast]
    size     of the two ways, or None
    value, low, high  as of a Quantity; an end is None where it is infinite
    doubt    "" or what makes it doubtful, as noise
    """

    of: tuple[str, ...]
    size: int | None
    value: float
    low: float | None
    high: float | None
    doubt: str = ""

    @property
    def quantity(self):
        """The ratio as a Quantity."""
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        return Quantity(self.value, low, high, "×", self.doubt)


def measured(results):
    """Return the Ratios of Results, the page's headline first."""
    judged = [
        _ratio(("claim", name), None, quantity)
        for name, quantity in results.quantities.items()
        if quantity.unit == "×" and not quantity.origin
    ]
    pairs = filter(None, itertools.starmap(_first, results.timings.items()))
    found = [*judged, *itertools.islice(pairs, 1)]
    return [r for r in found if r.value > 0 and math.isfinite(r.value)]


def _first(group, times):
    """Return the Ratio of a group's first two ways, None without two."""
    for slow, fast in itertools.combinations(times.names, 2):
        both = {s.size for s in times if s.name == slow} & {
            s.size for s in times if s.name == fast
        }
        if both:
            size = max(both, key=lambda n: -1 if n is None else n)
            ratio = times.ratio(slow, fast, size)
            return _ratio(("times", group, slow, fast), size, ratio)
    return None


def _ratio(of, size, q):
    low, high = (e if math.isfinite(e) else None for e in (q.low, q.high))
    doubt = q.note or "other programs used the machine" * q.contended
    return Ratio(of, size, q.value, low, high, doubt)
