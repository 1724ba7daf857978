"""Fits that the book's arguments rest on, each with intervals and a range.

The fitting is SciPy's and NumPy's; this module names the models and keeps
what a reader must know of a fit: its parameters' intervals, where it holds,
how far off.
"""

import dataclasses
import itertools
import math
from collections.abc import Callable

import numpy as np

from onthefly.measure.quantity import CONFIDENCE, Quantity, joined, origin_of


@dataclasses.dataclass(frozen=True)
class Fit:
    """A fitted model.

    formula     the model as text, e.g. ``a + b·n``
    parameters  {name: Quantity}
    valid       (smallest, largest) x that was fitted; beyond is a guess
    worst       largest relative residual within, as a share of the data
    predict     function of x (number or array)
    """

    formula: str
    parameters: dict[str, Quantity]
    valid: tuple[float, float]
    worst: float
    predict: Callable

    def __getitem__(self, name):
        return self.parameters[name]

    def at(self, n):
        """Return a + b·n of a `line`, a Quantity.

        Its interval is rather too wide: where `a` errs upwards, `b` errs
        downwards, and the two are taken as independent.
        """
        return self["a"] + self["b"] * n

    def __str__(self):
        values = ", ".join(f"{k} = {v}" for k, v in self.parameters.items())
        low, high = self.valid
        return (
            f"{self.formula}: {values}; {low:g} to {high:g}, "
            f"off by at most {self.worst:.0%}"
        )


def _marked(fit, data):
    """Return the Fit with the doubts and the origin of the data fitted."""
    known = [q for q in data if isinstance(q, Quantity)]
    marks = {
        "note": joined(q.note for q in known),
        "disturbed": max((q.disturbed for q in known), default=0.0),
        "origin": origin_of(known),
        "groups": frozenset().union(*(q.groups for q in known)),
    }
    parameters = {
        name: dataclasses.replace(q, **marks)
        for name, q in fit.parameters.items()
    }
    return dataclasses.replace(fit, parameters=parameters)


def _numbers(values):
    """Return plain numbers of Quantities, or of plain numbers."""
    plain = [q.value if isinstance(q, Quantity) else q for q in values]
    return np.asarray(plain, float)


def _xy(x, y, least):
    """Return two float arrays of equal length and at least `least` points."""
    x, y = np.asarray(x, float), _numbers(y)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(
            f"fit: {x.shape} x values against {y.shape} y values"
        )
    if len(np.unique(x)) < least:
        raise ValueError(f"fit: {len(np.unique(x))} points, needs {least}")
    if not (np.all(np.isfinite(y)) and np.all(y > 0)):
        raise ValueError("fit: y values must be finite and above 0")
    return x, y


def _spread(values, errors, freedom, units):
    """Return Quantities value ± t·error at the book's confidence."""
    from scipy.special import stdtrit  # scipy.stats loads for long

    reach = stdtrit(freedom, (1 + CONFIDENCE) / 2) if freedom else np.inf
    return [
        Quantity(float(v), float(v - reach * e), float(v + reach * e), u)
        for v, e, u in zip(values, errors, units, strict=True)
    ]


def line(n, seconds):
    """Fit seconds = a + b·n: a call's fixed cost and its cost an element.

    n, seconds  sequences of equal length, at least three sizes; the seconds
                are Quantities, whose doubts and origin the fit keeps, or
                plain numbers

    Residuals count relative to the time, so that the small sizes, which
    alone know `a`, weigh as much as the large.  Returns a Fit with a and b
    in seconds.  Raises ValueError for fewer points or times not above 0.
    """
    from scipy.optimize import nnls

    given = list(seconds)
    n, seconds = _xy(n, given, 3)
    freedom = len(n) - 2
    # In units of the data: the two parameters differ by many decades.
    units = np.array([seconds.min(), seconds.max() / n.max()])
    columns = np.stack([np.ones_like(n), n], axis=1) * units
    columns /= seconds[:, np.newaxis]
    fitted, residual = nnls(columns, np.ones_like(n))
    covariance = np.linalg.inv(columns.T @ columns) * residual**2 / freedom
    errors = np.sqrt(np.diag(covariance)) * units
    fitted = fitted * units
    a, b = _spread(fitted, errors, freedom, ["s", "s"])
    # Neither cost can be negative: the fit is bounded, so is its interval.
    a, b = (q.within(0.0, np.inf) for q in (a, b))
    fit = _fit(
        "a + b·n",
        {"a": a, "b": b},
        n,
        seconds,
        lambda x: fitted[0] + fitted[1] * np.asarray(x, float),
    )
    return _marked(fit, given)


def left_out(n, seconds):
    """Test ``line`` on sizes that it has not seen.

    n, seconds  sequences of equal length, at least five sizes

    Every other size, from the smallest on, is fitted; the rest is predicted.
    Returns a list of (size, predicted seconds, measured seconds).  Raises
    ValueError for fewer sizes.
    """
    n, seconds = _xy(n, seconds, 5)
    order = np.argsort(n)
    n, seconds = n[order], seconds[order]
    fit = line(n[::2], seconds[::2])
    rest = zip(n[1::2], fit.predict(n[1::2]), seconds[1::2], strict=True)
    return [tuple(map(float, point)) for point in rest]


def unseen(n, seconds):
    """Return {size: measured over predicted} of sizes that a line left out.

    n, seconds  as in `left_out`; the seconds are Quantities
    """
    known = dict(zip(n, seconds, strict=True))
    return {
        int(size): known[size] / Quantity.exact(predicted, "s")
        for size, predicted, _ in left_out(n, seconds)
    }


def loop_overhead(slow, fast):
    """Fit what a step of a slow loop costs beyond one of a fast loop.

    slow, fast  {(size, steps): seconds} on the same cells, at least three
                sizes by three numbers of steps

    Each size gets a line in the steps; the difference of the two slopes gets
    a line in the size.  Returns (the Fit of that, what a fast loop costs once
    beyond a slow one, a Quantity): slow ≈ fast − once + steps·fit.  Raises
    ValueError for fewer cells, or a slow step that is not slower.
    """
    sizes = sorted({n for n, _ in slow})
    fits = {}
    for k, loop in enumerate((slow, fast)):
        for n in sizes:
            steps = sorted(s for m, s in loop if m == n)
            fits[k, n] = line(steps, [loop[n, s] for s in steps])
    extra = [fits[0, n]["b"] - fits[1, n]["b"] for n in sizes]
    once = [fits[1, n]["a"] - fits[0, n]["a"] for n in sizes]
    middle = float(np.median([q.value for q in once]))
    unbound = Quantity(middle, -np.inf, np.inf, "s", origin=origin_of(once))
    return line(sizes, extra), unbound


def power(n, y):
    """Fit y = a·n^b on logarithmic axes.

    n, y  sequences of equal length, at least three sizes, all above 0; y
          are Quantities or plain numbers

    Returns a Fit with a and b.  Raises ValueError for fewer points.
    Source: the error law, Okuda, PyConJP 2018, slide 13.
    """
    given = list(y)
    n, y = _xy(n, given, 3)
    fitted, covariance = np.polyfit(np.log(n), np.log(y), 1, cov=True)
    errors = np.sqrt(np.diag(covariance))
    b, log_a = _spread(fitted, errors, len(n) - 2, ["", ""])
    ends = np.exp([log_a.value, log_a.low, log_a.high])
    a = Quantity(*map(float, ends))
    fit = _fit(
        "a·n^b",
        {"a": a, "b": b},
        n,
        y,
        lambda x: a.value * np.asarray(x, float) ** b.value,
    )
    return _marked(fit, given)


def part_of_gain(part, whole):
    """Return which share of a factor another one is, by their logarithms.

    part, whole  ratios, Quantities; the whole is above 1
    """
    return (_logarithm(part) / _logarithm(whole)).named("%")


def _logarithm(q):
    """Return the natural logarithm of a ratio, a Quantity."""

    def log(x):
        return math.log(x) if x > 0 else -math.inf

    value, low, high = map(log, (q.value, q.low, q.high))
    rounds = q.rounds and q.rounds.mapped(log)
    return dataclasses.replace(
        q, value=value, low=low, high=high, unit="", rounds=rounds
    )


def root_mean_square(errors):
    """Return the root mean square of errors around 0, as a Quantity.

    errors  independent and normal; the interval is that of χ²
    """
    from scipy.special import chdtri

    errors = np.asarray(errors, float)
    if errors.ndim != 1 or not len(errors):
        raise ValueError("root_mean_square: needs a list of errors")
    total = float(np.sum(np.square(errors)))
    tails = (1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2  # above each end
    ends = chdtri(len(errors), tails)
    low, high = (float(np.sqrt(total / end)) for end in ends)
    return Quantity(float(np.sqrt(total / len(errors))), low, high)


def _fit(formula, parameters, x, y, predict):
    worst = float(np.max(np.abs(predict(x) / y - 1)))
    valid = (float(x.min()), float(x.max()))
    return Fit(formula, parameters, valid, worst, predict)


def crossing(slow, fast):
    """Return the size from which `fast` wins, from two ``line`` fits.

    Returns a Quantity without unit, or None where the lines do not cross
    above 0.
    """
    lost, gain = fast["a"] - slow["a"], slow["b"] - fast["b"]
    if gain.value <= 0 or lost.value <= 0:
        return None
    return (lost / gain).named("").within(0.0, np.inf)


@dataclasses.dataclass(frozen=True)
class Curve:
    """Seconds of a call against its size, in straight pieces a + b·n.

    pieces  ((up to which size, a, b), …), seconds; the last has no end
    spread  how far a prediction may be off: a share of it, at the book's
            confidence
    upto    the largest size that was measured; beyond is a guess
    """

    pieces: tuple[tuple[float, float, float], ...]
    spread: float
    upto: float

    @property
    def fixed(self):
        """The seconds of a call before its first element."""
        return max(self.pieces[0][1], 0.0)

    def line(self, n):
        """Return a, b of the piece that holds size n."""
        return next(line for end, *line in self.pieces if n <= end)

    def at(self, n):
        """Return the seconds of a call of size n, as a Quantity."""
        a, b = self.line(n)
        value, factor = a + b * n, 1 + self.spread
        return Quantity(value, value / factor, value * factor, "s")


LEAST = 3  # sizes of a Curve
FINE = 4  # pieces between two of them


def curve(n, seconds):
    """Lay a Curve through the seconds of calls of some sizes.

    n, seconds  sequences of equal length, at least three sizes; the seconds
                are Quantities or plain numbers

    Between two sizes it follows the monotone cubic of their logarithms
    (Fritsch and Carlson's), as caches, new memory and threads that wake bend
    a call's time at sizes of their own.  Below the least size and above the
    greatest it goes on straight.  The spread is what the sizes measured let
    expect, each told by the others.  Raises ValueError for fewer sizes.
    """
    from scipy.interpolate import PchipInterpolator

    n, seconds = _xy(n, seconds, LEAST)
    order = np.argsort(n)
    x, y = np.log(n[order]), np.log(seconds[order])
    steps = np.linspace(0, len(x) - 1, FINE * (len(x) - 1) + 1)
    places = np.interp(steps, np.arange(len(x)), x)
    points = np.exp([places, PchipInterpolator(x, y)(places)])
    inner = range(1, len(x) - 1)
    missed = [
        PchipInterpolator(np.delete(x, k), np.delete(y, k))(x[k]) - y[k]
        for k in inner
    ]
    upto = float(n[order[-1]])
    return Curve(_pieces(*points), spread(np.exp(missed)), upto)


def spread(ratios):
    """Return how far a prediction may be off, a share of it.

    ratios  predicted over measured, of predictions of the same kind

    It is so far at the book's confidence, where the errors are normal in
    their logarithms, and around 0.
    """
    from scipy.special import stdtrit

    missed = np.log(np.asarray(ratios, float))
    error = np.sqrt(np.mean(np.square(missed)))
    reach = stdtrit(len(missed), (1 + CONFIDENCE) / 2) * error
    return float(np.expm1(reach))


def _pieces(n, seconds):
    """Return the pieces from point to point, and what goes on beyond both."""
    lines = []
    for (x, y), (after, later) in itertools.pairwise(
        zip(n.tolist(), seconds.tolist(), strict=True)
    ):
        b = (later - y) / (after - x)
        lines.append((after, y - b * x, b))
    (_, *first), (_, *last) = lines[0], lines[-1]
    ends = (
        (float(n[0]), *_outside(*first, n[0], seconds[0])),
        (math.inf, *_outside(*last, n[-1], seconds[-1])),
    )
    return (ends[0], *lines, ends[1])


def _outside(a, b, n, seconds):
    """Return the line that goes on from a point; neither a nor b below 0."""
    if a < 0:
        return 0.0, float(seconds / n)
    return (a, b) if b >= 0 else (float(seconds), 0.0)
