"""From data to a figure, in one call: what `book.plot` draws.

Timings, or Quantities by name, or by name and size: what they are decides
between lines, bars and a curve of speed against threads.
"""

from onthefly import figures
from onthefly.figures import findings
from onthefly.measure.timings import Timings

# How to read a contest; what it finds is the Chart's own.
CONTEST = (
    "Lower is faster. A ring marks the fastest method at a size, if one is "
    "ahead of all others. Dashed lines are left out of the comparison."
)
_WIDE = 30  # the greatest time over the least from which an axis is a log's


def chart(
    data, *, x="", y="", per="", against="", size=None, cores=None, **options
):
    """Return the Chart of Timings, or of Quantities; a Chart as it is.

    data     Timings; {name: Quantity}, drawn as bars; or {name: {size:
             Quantity}}, drawn as lines
    x, y     labels of the axes with units; of bars, x names their axis
    per      what a size counts, as "shot": draws the time of one
    against  a candidate of the Timings: draws how many times as fast as it
             the others are
    size     draws Timings at this size alone, as bars
    cores    draws speed against threads, with the ideal of so many cores
    options  of `figures.lines` and `figures.bars`

    Raises ValueError for data that is empty, a candidate that is not in,
    or `per` where there are no sizes.
    """
    if isinstance(data, figures.Chart):
        return data
    if isinstance(data, Timings):
        data, labels, defaults = _of_timings(data, per, against, size)
        x, y = x or labels[0], y or labels[1]
        options = defaults | options
    if not data:
        raise ValueError("plot: no data")
    if any(isinstance(points, dict) for points in data.values()):
        if cores:
            return figures.speed_against_threads(data, cores, **options)
        return figures.lines(data, x=x, y=y, **options)
    return figures.bars(data, x=x, **options)


def contest(times, unit, x, beside=()):
    """Return the Chart of many ways: the time of one against the size.

    times   Timings with sizes
    unit    what a size counts, as "shot"
    x       label of the sizes
    beside  names that are drawn and do not compete
    """
    data, (_, y), _ = _of_timings(times, unit, "", None)
    return figures.contest(data, x=x, y=y, beside=beside)


def _of_timings(times, per, against, size):
    """Return the Quantities of Timings to be drawn, labels and options."""
    names = [
        name
        for name in times.names
        if name != against and (size is None or size in times.sizes(name))
    ]
    if against and against not in times.names:
        have = ", ".join(times.names)
        raise ValueError(f"plot: no {against!r}; there are: {have}")

    def value(name, n):
        if against:
            return times.ratio(against, name, n)
        seconds = times.seconds(name, n)
        return seconds / n if per else seconds

    if per and not any(times.sizes(name) for name in names):
        raise ValueError("plot: per needs Timings with sizes")
    one = per or "call"
    what = f"time {'an' if one[0] in 'aeiou' else 'a'} {one}"
    what = f"times as fast as {against}" if against else what
    if size is not None or not any(times.sizes(name) for name in names):
        data = {name: value(name, size) for name in names}
        return _ranked(data, against), (what, ""), _for_bars(data, against)
    sizes = {name: set(times.sizes(name)) for name in times.names}
    data = {
        name: {
            n: value(name, n)
            for n in times.sizes(name)
            if not against or n in sizes[against]
        }
        for name in names
    }
    if against:
        options = {"better": "more", "against": against}
    else:
        options = {"better": "less", "time": "y"}
    if per:
        options["logy"] = False
    return data, ("size", what), options


def _for_bars(data, against):
    """Return the options of bars of factors, or of times."""
    values = [q.value for q in data.values()] or [1]
    options = {"log": max(values) > _WIDE * min(values)}
    if against:
        return options | {"reference": 1, "better": "more"}
    return options | {"better": "less"}


def _ranked(data, against):
    """Return {name: Quantity} with the best first."""
    names = findings.ranked(data, "more" if against else "less")
    return {name: data[name] for name in names}
