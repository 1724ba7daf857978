"""What repeated runs of two sides say of one another: numbers alone.

Each run of a page is a process, and gives one number a series: samples of a
process are correlated, processes are not.  Two sides are compared by the
ranks of these numbers, which takes no shape of a distribution for granted.
"""

import dataclasses
import functools
import itertools
import math
import statistics

import numpy as np

from onthefly.measure.quantity import CONFIDENCE, Quantity

LEVEL = 0.05  # of the false discovery rate
THRESHOLD = 0.05  # the change that matters, as a share
SPLITS = 200  # ways to halve the runs of a side, at most
UNLIKE = 0.95  # of the halvings differ by less than the noise

FASTER, SLOWER, UNCHANGED = "faster", "slower", "unchanged"
NOISY, FEW = "too noisy", "too few repeats"
INCOMPARABLE = "not comparable"


# Ways to make one number of a process; NUMBER is the one that is taken.  What
# disturbs a sample makes it longer: among runs of the same thing the least
# scatters less than the lower quartile, and that less than the median.  The
# page on it has a table; tests/calibration measures it anew.
NUMBERS = {
    "median": statistics.median,
    "lower quartile": lambda values: float(np.quantile(values, 0.25)),
    "least": min,
}
NUMBER = "least"


def one_each(sides, number=None):
    """Return the one number of each run, for each side of a series.

    sides   lists of runs, each the samples of one process in seconds
    number  function of samples, by default that of `NUMBER`

    The least of more samples is smaller, and what is slower gets fewer in the
    same time: so many samples count as a middle run of either side has.
    """
    number = number or NUMBERS[NUMBER]
    most = min(statistics.median_low(map(len, side)) for side in sides)
    return [[number(samples[:most]) for samples in side] for side in sides]


@dataclasses.dataclass(frozen=True)
class Finding:
    """What is said of one series.

    ratio     new / base, with its interval, a Quantity
    noise     the factor, less 1, by which runs of one side differ from
              others of that side; infinite where none tell
    p         of the test, of this series by itself
    adjusted  the same with all series of the comparison in mind
    """

    verdict: str
    ratio: Quantity
    noise: float
    p: float
    adjusted: float

    @property
    def called(self):
        """Whether it is said to have changed."""
        return self.verdict in (FASTER, SLOWER)

    def regressed(self, threshold=THRESHOLD):
        """Tell whether it is slower by more than matters."""
        return self.verdict == SLOWER and self.ratio.value > 1 + threshold


def least_p(base, new):
    """Return the smallest p that so many runs of both sides can reach."""
    return 2 / math.comb(base + new, base)


def strictest(series, level=LEVEL):
    """Return the p that one series of so many must reach to be called.

    level  of the false discovery rate, after Benjamini and Yekutieli (2001),
           doi 10.1214/aos/1013699998
    """
    return level / (series * sum(1 / k for k in range(1, series + 1)))


def needed(series, level=LEVEL):
    """Return the runs that each side needs, so that one series of so many
    can be called.
    """
    runs = 1
    while least_p(runs, runs) > strictest(series, level):
        runs += 1
    return runs


def findings(pairs, level=LEVEL, threshold=THRESHOLD):
    """Return the Finding of each series.

    pairs      [(numbers of the base's runs, numbers of the new one's)], in
               seconds, all above 0
    level      of the false discovery rate over all of them
    threshold  the change that matters, as a share

    The ratio is Hodges and Lehmann's (1963, doi 10.1214/aoms/1177704172):
    the median of all quotients of a new run and a base's, with the interval
    that belongs to the exact test of Mann and Whitney.  That interval is of
    one series by itself.
    """
    from scipy.stats import false_discovery_control

    logs = [(np.log(base), np.log(new)) for base, new in pairs]
    if not logs:
        return []
    shifts, tests, noises = (
        _by_shape(f, logs) for f in (_shift, _test, _noise)
    )
    adjusted = false_discovery_control(tests, method="by")
    return [
        _finding(
            (len(base), len(new)), len(logs), shift, noise, float(p),
            float(all_), level, threshold,
        )
        for (base, new), shift, noise, p, all_ in zip(
            logs, shifts, noises, tests, adjusted, strict=True
        )
    ]  # fmt: skip


def _finding(runs, series, shift, noise, p, adjusted, level, threshold):
    """Return the Finding of one series; shift and noise are logarithms."""
    middle, low, high = (float(np.exp(x)) for x in shift)
    ratio = Quantity(middle, low if low > 0 else -math.inf, high, "×")
    if adjusted <= level and abs(shift[0]) > noise:
        verdict = SLOWER if middle > 1 else FASTER
    elif least_p(*runs) > strictest(series, level):
        verdict = FEW  # where many change alike, fewer runs tell
    elif 1 / (1 + threshold) <= low and high <= 1 + threshold:
        verdict = UNCHANGED
    else:
        verdict = NOISY
    return Finding(verdict, ratio, math.expm1(noise), p, adjusted)


def _by_shape(function, logs):
    """Return function(base, new) of each pair, those of one shape at once."""
    places = {}
    for place, (base, new) in enumerate(logs):
        places.setdefault((len(base), len(new)), []).append(place)
    values = [None] * len(logs)
    for some in places.values():
        stacked = (np.array([logs[k][side] for k in some]) for side in (0, 1))
        for place, value in zip(some, function(*stacked), strict=True):
            values[place] = value
    return values


def _test(base, new):
    """Return the exact two-sided p of Mann and Whitney, one a row."""
    from scipy.stats import mannwhitneyu

    return mannwhitneyu(new, base, axis=1, method="exact").pvalue


def _differences(base, new):
    """Return all differences of a new run and a base's, sorted, in rows."""
    every = new[..., :, None] - base[..., None, :]
    return np.sort(every.reshape(*every.shape[:-2], -1), axis=-1)


def _shift(base, new):
    """Return (middle, low, high) of the shift from base to new, in rows."""
    every = _differences(base, new)
    middle = np.median(every, axis=-1)
    depth = _depth(base.shape[-1], new.shape[-1])
    if not depth:
        ends = np.full_like(middle, np.inf)
        return np.stack([middle, -ends, ends], axis=-1)
    low, high = every[..., depth - 1], every[..., -depth]
    return np.stack([middle, low, high], axis=-1)


@functools.cache
def _depth(base, new):
    """Return which of the sorted differences ends the interval, from 1.

    It is the test turned round: the first at which U is no longer rejected;
    0 where so few runs bound nothing.
    """
    depth = 0
    while depth < base * new / 2:
        p = _test(*(np.array([side]) for side in _ranked(base, new, depth)))
        if p[0] > 1 - CONFIDENCE:
            break
        depth += 1
    return depth


def _ranked(base, new, u):
    """Return a base and a new side of which `u` pairs have new above base."""
    above, rest = divmod(u, base)
    places = [base + 1.0 + k for k in range(above)]  # above every base run
    if len(places) < new:
        places.append(rest + 0.5)  # above so many
    places += [-1.0 - k for k in range(new - len(places))]
    return [k + 1.0 for k in range(base)], places


def _noise(base, new):
    """Return how far apart runs of the same side are: the greater side's.

    Each side is halved, in all ways or many, and one half compared with the
    other as two sides are: what most of these shifts stay below.  A half has
    fewer runs than a side, so that they scatter more; that is taken out.
    """
    width = _width(base.shape[-1], new.shape[-1])
    return width * np.maximum(_within(base), _within(new))


def _within(runs):
    """Return that of one side, in the unit of `_width`."""
    count = runs.shape[-1]
    if count < 2:
        return np.full(runs.shape[0], np.inf)
    one, other = _halves(count)
    every = _differences(runs[:, one], runs[:, other])
    shifts = np.abs(np.median(every, axis=-1))
    most = np.quantile(shifts, UNLIKE, axis=-1)
    return most / _width(one.shape[-1], other.shape[-1])


def _width(base, new):
    """Return how far a shift of so many runs scatters, in that of one run."""
    return math.sqrt(1 / base + 1 / new)


@functools.cache
def _halves(count):
    """Return two arrays of places, a row a way to halve so many runs."""
    half = count // 2
    if math.comb(count, half) <= 2 * SPLITS:
        ones = np.array(list(itertools.combinations(range(count), half)))
    else:
        rng = np.random.default_rng(0)
        ones = np.array(
            [rng.permutation(count)[:half] for _ in range(SPLITS)]
        )
    others = [np.setdiff1d(np.arange(count), one) for one in ones]
    return ones, np.array(others)
