"""Predictions of what was measured and left out, against the measurement.

What such a test misses by is the interval of the predictions of its kind.  A
kind with too few cases has none.
"""

import dataclasses
import statistics

from onthefly.measure import models
from onthefly.measure.quantity import Quantity
from onthefly.measure.samples import MIN_ROUNDS

WITHIN = 0.2  # share of a measurement that a prediction may be off
# Fewer cases bound nothing, as fewer samples do not bound a median.
LEAST = MIN_ROUNDS


def near(value, measured):
    """Tell whether a prediction is off by WITHIN at most."""
    return abs(value / measured - 1) <= WITHIN


@dataclasses.dataclass(frozen=True)
class Case:
    """A measurement that was left out.

    what       a phrase that names it
    predicted  seconds, from the others
    measured   seconds
    """

    what: str
    predicted: float
    measured: float

    @property
    def ratio(self):
        """Predicted over measured."""
        return self.predicted / self.measured


def share(cases):
    """Return the share of Cases that are near; of none, anything."""
    came = [near(one.predicted, one.measured) for one in cases]
    if not came:
        return Quantity(0.0, 0.0, 1.0, "%", "0 of 0")
    return Quantity.share(sum(came), len(came))


def spread(cases):
    """Return how far a prediction of this kind may be off, a share of it.

    None where there are fewer than LEAST Cases: then nothing was tested.
    """
    cases = list(cases)
    if len(cases) < LEAST:
        return None
    return models.spread([one.ratio for one in cases])


def sizes_between(times, what=""):
    """Return the Cases of sizes, each predicted from all others.

    times  Timings of calls; the least and the greatest size of each name
           stay, for what lies beyond is another kind
    what   follows the name in the phrase
    """
    cases = []
    for name, n, seconds in _known(times):
        for k in range(1, len(n) - 1):
            cases += _without(name + what, n, seconds, k)
    return cases


def sizes_beyond(times, what=""):
    """Return the Cases of the greatest sizes, each from the smaller ones.

    times, what  as in `sizes_between`
    """
    cases = []
    for name, n, seconds in _known(times):
        cases += _without(name + what, n, seconds, len(n) - 1)
    return cases


def _known(times):
    """Yield (name, sizes, seconds) of what enough sizes were measured of."""
    for name in times.names:
        n = times.sizes(name)
        if len(n) > models.LEAST:
            yield name, n, [times.seconds(name, size).value for size in n]


def _without(name, n, seconds, k):
    """Return the Case, in a list, of the k-th size."""
    rest = [x for x in range(len(n)) if x != k]
    curve = models.curve([n[x] for x in rest], [seconds[x] for x in rest])
    what = f"{name} at {n[k]:,}"
    return [Case(what, curve.at(n[k]).value, seconds[k])]


def last_processes(times, what=""):
    """Return the Cases of the last process of each, from those before it.

    times  Timings, a sample a process
    what   as in `sizes_between`

    One a name: of two processes, each predicts the other equally well.
    """
    return [
        Case(s.name + what, statistics.median(s.values[:-1]), s.values[-1])
        for s in times
        if len(s.values) > 1
    ]
