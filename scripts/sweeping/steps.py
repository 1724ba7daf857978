"""Where a kernel's time steps from one version to the next.

asv proposes the steps; their intervals decide.
"""

import itertools
import math
import statistics
from dataclasses import dataclass

from onthefly.quantity import Quantity
from onthefly.timings import Series, Timings

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

    def __str__(self):
        return (
            f"{self.ratio.short} as long from {self.after} on as up to "
            f"{self.before}"
        )


def timings(sweep, kernel):
    """Return the Timings of a kernel, by version: a sample is a process.

    Rounds that not all of its versions have yet are left out.
    """
    rows = sweep.measured(kernel)
    found = {
        row.version: {
            run["round"]: run for run in row.runs if kernel in run["seconds"]
        }
        for row in rows
    }
    common = (
        sorted(set.intersection(*map(set, found.values()))) if rows else []
    )
    return Timings(
        [
            Series(
                version,
                None,
                None,
                tuple(runs[k]["seconds"][kernel] for k in common),
                others=statistics.fmean(runs[k]["others"] for k in common),
                other_threads=0.0,
            )
            for version, runs in found.items()
            if common
        ],
        cores=sweep.machine["cores"]["machine"],
    )


def find(times, threshold=THRESHOLD):
    """Return the Steps of a Timings by version, in order.

    times      as `timings` returns them, oldest version first
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
    seconds = [times.seconds(name) for name in names]
    fitted = step_detect.detect_steps(
        [math.log(q.value) for q in seconds], [_weight(q) for q in seconds]
    )
    pieces = []
    for left, right, *_ in fitted:
        piece = names[left:right]
        if pieces and not _resolved(times, pieces[-1], piece, threshold):
            pieces[-1] = pieces[-1] + piece
        else:
            pieces.append(piece)
    return [
        Step(one[-1], two[0], _ratio(times, one, two))
        for one, two in itertools.pairwise(pieces)
    ]


def _weight(seconds):
    """Return asv's weight of the logarithm of a time; None: unknown."""
    if not 0 < seconds.low < seconds.high < math.inf:
        return None
    return 2 / math.log(seconds.high / seconds.low)


def _resolved(times, before, after, threshold):
    """Tell whether the times of two pieces differ beyond the threshold."""
    ratio = _ratio(times, before, after)
    return bool(ratio > 1 + threshold or ratio < 1 / (1 + threshold))


def _ratio(times, before, after):
    """Return the time of a piece over that of another, round by round."""

    def rounds(names):
        values = [times.series(name).values for name in names]
        return map(statistics.median, zip(*values, strict=True))

    pairs = zip(rounds(after), rounds(before), strict=True)
    return Quantity.median([a / b for a, b in pairs], "×")
