"""Where a kernel's time steps from one version to the next, and what an
element costs in larger calls.

asv proposes the steps; their intervals decide.
"""

import itertools
import math
import statistics
from dataclasses import dataclass
from operator import truediv

from onthefly.quantity import Quantity

THRESHOLD = 0.05  # a smaller change is none: code lies elsewhere in memory


@dataclass(frozen=True)
class Step:
    """A step of a kernel's time between two versions.

    before, after  the versions on its two sides
    ratio          Quantity: the time after it over the time before
    """

    before: str
    after: str
    ratio: Quantity


def find(times, size, threshold=THRESHOLD):
    """Return the Steps of a Timings by version, in order.

    times      as `Sweep.timings` returns them, oldest version first
    size       of the data
    threshold  the least change that counts, as a share

    asv.step_detect fits a piecewise constant function to the logarithms of
    the medians, weighted by their intervals: in seconds, a slower version
    would count less, as its interval is wider by as much as it is slower.
    Neighbouring pieces are one where the interval of their ratio, process by
    process, does not lie beyond the threshold.  Source: asv, Regression
    detection; Friedrich et al., J. Comput. Graph. Stat. 17(1), 2008.
    """
    from asv import step_detect

    names = times.names
    if len(names) < 2:
        return []
    seconds = [times.seconds(name, size) for name in names]
    fitted = step_detect.detect_steps(
        [math.log(q.value) for q in seconds], [_weight(q) for q in seconds]
    )
    pieces = []
    for left, right, *_ in fitted:
        piece = names[left:right]
        if pieces and not beyond(_ratio(times, size, pieces[-1], piece),
                                 threshold):  # fmt: skip
            pieces[-1] = pieces[-1] + piece
        else:
            pieces.append(piece)
    return [
        Step(one[-1], two[0], _ratio(times, size, one, two))
        for one, two in itertools.pairwise(pieces)
    ]


def beyond(ratio, threshold=THRESHOLD):
    """Tell whether a ratio lies beyond the threshold, its interval too."""
    return bool(ratio > 1 + threshold or ratio < 1 / (1 + threshold))


def _weight(seconds):
    """Return asv's weight of the logarithm of a time; None: unknown."""
    if not 0 < seconds.low < seconds.high < math.inf:
        return None
    return 2 / math.log(seconds.high / seconds.low)


def _ratio(times, size, before, after):
    """Return the time of a piece over that of another, round by round."""

    def rounds(names):
        values = [times.series(name, size).values for name in names]
        return map(statistics.median, zip(*values, strict=True))

    pairs = zip(rounds(after), rounds(before), strict=True)
    return Quantity.median([a / b for a, b in pairs], "×")


def rises(times, version):
    """Return {(size, next size): Quantity}: an element's time, over that
    of the size before, process by process.
    """
    costs = {
        n: [value / n for value in times.series(version, n).values]
        for n in times.sizes(version)
    }
    return {
        (one, two): Quantity.median(map(truediv, costs[two], costs[one]), "×")
        for one, two in itertools.pairwise(costs)
    }
